// A food as a row of a list: its name, its serving, energy and macros, and what can be done with it.

import { h } from "./dom.js";
import { may } from "./api.js";
import { servingText } from "./format.js";
import { ENERGY, figure, macroLine } from "./sums.js";

/** @param {...HTMLElement} acts buttons, which only a key that may write gets to see */
export function foodRow(food, ...acts) {
  const about = [food.profile_reference_id && "custom food", servingText(food)].filter(Boolean).join(" · ");
  return h("li", { class: "entry" },
    h("span", { class: "what" }, h("a", { class: "name", href: `/food?id=${food._id}` }, food.food_name),
      h("small", {}, food.brand_name && [h("bdi", {}, food.brand_name), " · "], about), macroLine(food.macro_nutrients)),
    h("span", { class: "number" }, figure(food.macro_nutrients[ENERGY], "kcal")),
    may("write") && h("span", { class: "acts" }, acts));
}

// A food in a list: its name, whose it is, and what a serving has.

import { h } from "./dom.js";
import { amount, count, servingText } from "./format.js";
import { MACROS } from "./sums.js";

export function foodLine(food, ...actions) {
  const { energy_kcal: energy } = food.macro_nutrients;
  return h("li", {},
    h("div", { class: "food" },
      h("a", { href: `/food?id=${encodeURIComponent(food._id)}` }, food.food_name),
      food.brand_name && h("span", { class: "badge" }, food.brand_name),
      food.profile_reference_id && h("span", { class: "badge" }, `custom food of ${food.profile_reference_id}`),
      h("div", { class: "hint" }, `${servingText(food)} · `, macros(food))),
    h("div", { class: "energy number" },
      energy === undefined ? h("span", { class: "hint" }, "unknown") : [h("strong", {}, count(energy)), " kcal"]),
    actions);
}

function macros(food) {
  const known = MACROS.filter(({ name }) => food.macro_nutrients[name] !== undefined);
  if (!known.length) return "no macros are known";
  return known.map(({ name, title }) => `${title.toLowerCase()} ${amount(food.macro_nutrients[name])} g`).join(", ");
}

// The panel that people know from packages. What nobody measured is a dash: it is not zero.

import { h } from "./dom.js";
import { DAILY_VALUES, LABEL, LABEL_VITAMINS, SOURCE } from "./daily_values.js";
import { amount, count, share } from "./format.js";

/**
 * @param {{description: string, size: string}} serving
 * @param {Record<string, number>} values all nutrients by their names, for this serving
 * @param {Map<string, {unit: string}>} nutrients the registry
 */
export function nutritionFacts(serving, values, nutrients) {
  const row = ([name, title, depth]) => factRow(title, values[name], nutrients.get(name)?.unit, DAILY_VALUES[name], depth);
  const energy = values.energy_kcal;
  return h("section", { class: "facts", "aria-labelledby": "facts-title" },
    h("h2", { id: "facts-title" }, "Nutrition facts"),
    h("p", { class: "serving" }, h("span", {}, serving.description), h("strong", {}, serving.size)),
    h("p", { class: "calories" }, h("span", {}, "Calories"),
      h("strong", {}, energy === undefined ? "—" : count(energy))),
    h("table", {},
      h("caption", { class: "sr-only" }, "Nutrients of this serving, and their part of a daily value"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "sr-only" }, "Nutrient")),
        h("th", { scope: "col", class: "number" }, h("span", { class: "sr-only" }, "Amount")),
        h("th", { scope: "col", class: "number" }, "% daily value"))),
      h("tbody", {}, LABEL.map(row)),
      h("tbody", { class: "vitamins" }, LABEL_VITAMINS.map(row))),
    h("p", { class: "hint" }, "— means that nobody measured it. Daily values: ",
      h("a", { href: SOURCE.url, rel: "noreferrer" }, SOURCE.title), ", for 2,000 kcal a day."));
}

function factRow(title, value, unit, daily, depth) {
  const known = value !== undefined;
  return h("tr", { class: `depth-${depth}` }, h("th", { scope: "row" }, title),
    h("td", { class: "number" }, known ? `${amount(value)} ${unit ?? ""}` : "—"),
    h("td", { class: "number" }, known && daily ? h("strong", {}, share(value / daily)) : ""));
}

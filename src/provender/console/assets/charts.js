// Charts of a food, drawn in SVG. Each is a picture with a name for those who do not see it, and figures beside it.

import { h, svg } from "./dom.js";
import { DAILY_VALUES, SOURCE } from "./daily_values.js";
import { amount, share } from "./format.js";

// Kilocalories in a gram, by Atwater's general factors; a food's own energy may have been worked out more exactly.
const KCAL_A_GRAM = [
  ["total_fat_in_gm", "fat", "Fat", 9],
  ["total_carbohydrates_in_gm", "carbohydrates", "Carbohydrates", 4],
  ["total_protein_in_gm", "protein", "Protein", 4],
  ["alcohol_in_gm", "alcohol", "Alcohol", 7],
];

/** Where the energy of a food is from: a ring, and a legend with the figures. Null where nothing is known. */
export function energyRing(values) {
  const parts = KCAL_A_GRAM.filter(([name]) => values[name] > 0)
    .map(([name, colour, title, factor]) => ({ colour, title, grams: values[name], kcal: values[name] * factor }));
  const total = parts.reduce((sum, part) => sum + part.kcal, 0);
  if (!total) return null;
  const around = 2 * Math.PI * 40;
  let before = 0;
  const arcs = parts.map((part) => {
    const length = (part.kcal / total) * around;
    const arc = svg("circle", { cx: 50, cy: 50, r: 40, class: `arc ${part.colour}`, transform: "rotate(-90 50 50)",
      "stroke-dasharray": `${length} ${around - length}`, "stroke-dashoffset": -before });
    before += length;
    return arc;
  });
  const name = parts.map((part) => `${part.title} ${share(part.kcal / total)}`).join(", ");
  return h("div", { class: "ring" },
    svg("svg", { viewBox: "0 0 100 100", role: "img", "aria-label": `Energy from ${name}` }, arcs),
    h("ul", { class: "legend" }, parts.map((part) => h("li", {}, h("span", { class: `swatch ${part.colour}` }),
      h("span", {}, part.title, h("small", {}, ` ${amount(part.grams)} g`)), h("strong", {}, share(part.kcal / total))))),
    h("p", { class: "hint" }, "Shares of energy, at 9 kcal for a gram of fat, 4 of carbohydrates and of protein, 7 of alcohol."));
}

/** Bars of nutrients against their daily values. */
export function dailyBars(title, nutrients, values) {
  const rows = nutrients.filter(({ name }) => DAILY_VALUES[name] && values[name] !== undefined)
    .map(({ name, title: called, unit }) => ({ called, text: `${amount(values[name])} ${unit}`, part: values[name] / DAILY_VALUES[name] }));
  if (!rows.length) return h("p", { class: "empty" }, `No ${title.toLowerCase()} are known.`);
  return h("table", { class: "bars" }, h("caption", { class: "sr-only" }, `${title} of this serving against daily values`),
    h("thead", { class: "sr-only" }, h("tr", {}, h("th", { scope: "col" }, "Nutrient"), h("th", { scope: "col" }, "Bar"),
      h("th", { scope: "col" }, "Part of a daily value"))),
    h("tbody", {}, rows.map((row) => h("tr", {},
      h("th", { scope: "row" }, row.called, h("small", {}, ` ${row.text}`)),
      h("td", { class: "bar" }, bar(row)),
      h("td", { class: "number" }, share(row.part))))));
}

function bar({ part }) {
  // A bar that would be longer than the whole gets another colour.
  const over = part > 1;
  return svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { width: 100, height: 8, rx: 2, class: "whole" }),
    svg("rect", { width: Math.min(100, part * 100), height: 8, rx: 2, class: over ? "part over" : "part" }));
}

export function dailySource() {
  return h("p", { class: "hint" }, "Bars end at a whole daily value. ", h("a", { href: SOURCE.url, rel: "noreferrer" }, SOURCE.title), ".");
}

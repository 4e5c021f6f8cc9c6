// Figures in a row, and tables that scroll by themselves on a small screen.

import { h } from "./dom.js";

/** @param {[string, any][]} pairs what it is, and how much */
export function figures(pairs) {
  return h("dl", { class: "key-figures" }, pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
}

/**
 * @param {string} caption what it is a table of, for those who do not see it
 * @param {(string | {number: string})[]} heads columns of numbers are told apart
 * @param {any[][]} rows the first cell of a row names it
 */
export function table(caption, heads, rows) {
  const kind = heads.map((head) => (typeof head === "string" ? {} : { class: "number" }));
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": caption }, h("table", {},
    h("caption", { class: "sr-only" }, caption),
    h("thead", {}, h("tr", {}, heads.map((head, place) =>
      h(head === "" ? "td" : "th", { ...kind[place], ...(head !== "" && { scope: "col" }) }, head.number ?? head)))),
    h("tbody", {}, rows.map((row) => h("tr", {}, row.map((cell, place) =>
      place === 0 ? h("th", { scope: "row" }, cell) : h("td", kind[place], cell)))))));
}

// Drawings of energy: one bar of a day's macros, and a bar for each day of some weeks. Each has its figures as text.

import { h, svg } from "./dom.js";
import { count, day, share } from "./format.js";
import { FACTORS, FIGURES, MACROS, energyParts, figure, honesty } from "./sums.js";

const HEIGHT = 220;
const LEFT = 44;
const BELOW = 8;
// 100,000 and more have no room beside the bars.
const compact = new Intl.NumberFormat(undefined, { notation: "compact" });

/** How much of the energy comes from which macro. */
export function shareBar(sum) {
  const { whole, parts, rest } = energyParts(sum.macro_nutrients);
  if (!whole) return null;
  const words = parts.filter((part) => part.value).map((part) => `${part.title} ${share(part.value / whole)}`);
  if (rest / whole > 0.005) words.push(`not explained by them ${share(rest / whole)}`);
  let x = 0;
  const drawn = parts.map((part) => {
    const width = (part.value / whole) * 100;
    const rectangle = svg("rect", { x, y: 0, width, height: 10, class: part.kind });
    x += width;
    return rectangle;
  });
  return svg("svg", { class: "share", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img",
    "aria-label": `Energy from: ${words.join(", ")}` }, svg("rect", { width: 100, height: 10, class: "rest" }), drawn);
}

/**
 * A bar for each day, as wide as its place, drawn again when that changes.
 * @param {{date: string, sum: object | null}[]} days
 * @param {(date: string) => void} open what a press on a bar does
 */
export function dayChart(days, open) {
  const place = h("div", { class: "chart" });
  let width = 0;
  new ResizeObserver(() => {
    if (place.clientWidth === width || !place.clientWidth) return;
    width = place.clientWidth;
    place.replaceChildren(draw(days, width, open));
  }).observe(place);
  return h("figure", { class: "energy" }, place, legend(), h("figcaption", { class: "hint" }, FACTORS,
    " The rest is what they do not explain: alcohol, rounding, and what entries do not say."));
}

function draw(days, width, open) {
  const wholes = days.map(({ sum }) => (sum ? energyParts(sum.macro_nutrients).whole : 0));
  const top = roundUp(Math.max(...wholes) || 2000);
  const foot = HEIGHT - BELOW - 20;
  const y = (value) => foot - (value / top) * (foot - 12);
  const step = (width - LEFT) / days.length;
  const lines = [0, 0.5, 1].map((part) => svg("g", {},
    svg("line", { x1: LEFT, x2: width, y1: y(top * part), y2: y(top * part), class: "grid" }),
    svg("text", { x: LEFT - 6, y: y(top * part) + 4, "text-anchor": "end" }, top < 1e5 ? count(top * part) : compact.format(top * part))));
  const bars = days.map(({ date, sum }, index) => {
    const x = LEFT + index * step;
    const hit = svg("rect", { x, y: 0, width: step, height: HEIGHT, class: "hit", onclick: () => open(date) },
      svg("title", {}, `${day(date)}: ${sum ? `${count(wholes[index])} kcal` : "nothing logged"}`));
    const bar = sum && stack(energyParts(sum.macro_nutrients), x + step * 0.15, step * 0.7, y);
    return [hit, bar, label(date, index, x, step)];
  });
  const known = wholes.filter(Boolean);
  const most = days[wholes.indexOf(Math.max(...wholes))];
  const description = known.length ? `${known.length} of ${days.length} days have energy; the most is
    ${count(Math.max(...wholes))} kcal on ${day(most.date)}. The table below has all figures.` : "Nothing is logged.";
  return svg("svg", { width, height: HEIGHT, role: "img", "aria-labelledby": "chart-title chart-description" },
    svg("title", { id: "chart-title" }, `Energy of ${days.length} days by macros, from ${day(days[0].date)}`),
    svg("desc", { id: "chart-description" }, description), lines, bars);
}

function stack({ whole, parts, rest }, x, width, y) {
  let reached = 0;
  const drawn = [...parts, { kind: "rest", value: rest }].filter((part) => part.value).map((part) => {
    const from = reached;
    reached = Math.min(reached + part.value, whole);
    return svg("rect", { x, width, y: y(reached), height: Math.max(0, y(from) - y(reached)), class: part.kind });
  });
  return svg("g", { class: "bar" }, drawn);
}

function label(date, index, x, step) {
  const y = HEIGHT - BELOW;
  // Where there is no room for all, each week has one.
  if (step < 30) return index % 7 ? null : svg("text", { x, y }, day(date, { day: "numeric", month: "short" }));
  const words = day(date, step < 56 ? { weekday: "short" } : { weekday: "short", day: "numeric" });
  return svg("text", { x: x + step / 2, y, "text-anchor": "middle" }, words);
}

function legend() {
  return h("ul", { class: "legend" }, [...MACROS, { kind: "rest", title: "The rest" }].map(({ kind, title }) =>
    h("li", {}, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), title)));
}

/** The figures of the chart, with the days as links. */
export function dayTable(days, total, link) {
  const columns = ["Entries", ...FIGURES.map(({ title }) => title)];
  const row = (name, sum) => h("tr", {}, h("th", { scope: "row" }, name),
    h("td", { class: "number" }, sum?.entries ?? 0),
    FIGURES.map(({ name: member, unit }) => h("td", { class: "number" },
      sum && [figure(sum.macro_nutrients[member], unit), " ", honesty(sum, member)])));
  const table = h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Day"),
      columns.map((title) => h("th", { scope: "col", class: "number" }, title)))),
    h("tbody", {}, days.map(({ date, sum }) => row(h("a", { href: link(date) }, day(date)), sum))),
    h("tfoot", {}, row("Together", total)));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Figures of each day" }, table);
}

/** 2,340 becomes 2,500, and 1,890 becomes 2,000: a line of the grid that people can read. */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value);
}

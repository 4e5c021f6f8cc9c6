// Energy and macros of several entries. What an entry does not say is counted as unknown, never as 0.

import { h } from "./dom.js";
import { count } from "./format.js";

export const ENERGY = "energy_kcal";

const grams = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** Energy per gram by the general factors of Atwater, as labels of food use them. */
export const MACROS = [
  { name: "total_carbohydrates_in_gm", kind: "carbohydrates", title: "Carbohydrates", short: "Carbs", kcal: 4 },
  { name: "total_fat_in_gm", kind: "fat", title: "Fat", short: "Fat", kcal: 9 },
  { name: "total_protein_in_gm", kind: "protein", title: "Protein", short: "Protein", kcal: 4 },
];

/** What is told of a day: energy, and then the macros. */
export const FIGURES = [
  { name: ENERGY, title: "Energy", unit: "kcal" },
  ...MACROS.map(({ name, title }) => ({ name, title, unit: "g" })),
];

export const FACTORS = "Energy is split by 4 kcal a gram of carbohydrates, 9 of fat and 4 of protein.";

/** The same members as a day of the API's summary. */
export function sumUp(entries) {
  const macros = {};
  const unknown = {};
  for (const name of [ENERGY, ...MACROS.map((macro) => macro.name)]) {
    const known = entries.map((entry) => entry.macro_nutrients?.[name]).filter((value) => value !== undefined);
    if (known.length) macros[name] = known.reduce((sum, value) => sum + value, 0);
    if (known.length < entries.length) unknown[name] = entries.length - known.length;
  }
  return { entries: entries.length, macro_nutrients: macros, unknown };
}

/** How many of the entries do not say it: those that the API counts, and all where it names no sum. */
function silent(sum, name) {
  return name in sum.macro_nutrients ? (sum.unknown[name] ?? 0) : sum.entries;
}

/**
 * The energy of a day in parts: kcal of each macro, and the rest that they do not explain. Where they explain more than
 * was stated, for labels round, they are shrunk to it.
 */
export function energyParts(macros) {
  const parts = MACROS.map((macro) => ({ ...macro, value: (macros[macro.name] ?? 0) * macro.kcal }));
  const explained = parts.reduce((sum, part) => sum + part.value, 0);
  const whole = macros[ENERGY] ?? explained;
  if (explained > whole) for (const part of parts) part.value *= explained ? whole / explained : 0;
  return { whole, parts, rest: Math.max(0, whole - explained) };
}

/** An amount with its unit, or a dash that is read as "unknown". */
export function figure(value, unit) {
  if (value === undefined) return h("span", { class: "hint" }, h("span", { "aria-hidden": "true" }, "–"),
    h("span", { class: "sr-only" }, "unknown"));
  if (unit === "kcal") return `${count(value)} kcal`;
  return value > 0 && value < 0.05 ? `< ${grams.format(0.1)} ${unit}` : `${grams.format(value)} ${unit}`;
}

/** "3 of 7 entries do not say", where that is so. */
export function honesty(sum, name, things = ["entry", "entries"]) {
  const missing = silent(sum, name);
  if (!missing || !sum.entries) return null;
  const verb = missing === 1 ? "does" : "do";
  const what = things[sum.entries === 1 ? 0 : 1];
  return h("small", { class: "unknown" }, `${missing} of ${sum.entries} ${what} ${verb} not say`);
}

/** Energy and macros of one thing in a line. */
export function macroLine(macros) {
  return h("span", { class: "macros" }, MACROS.map(({ name, short, kind }) =>
    h("span", {}, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), `${short} `, figure(macros[name], "g"))));
}

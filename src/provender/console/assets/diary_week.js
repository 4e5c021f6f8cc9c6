// The diary of some weeks: a chart of energy by macros, and the same figures as a table.

import { h } from "./dom.js";
import { get } from "./api.js";
import { showCall } from "./calls.js";
import { dayChart, dayTable } from "./energy_chart.js";
import { count, day, later } from "./format.js";
import { FIGURES, figure, honesty } from "./sums.js";
import { empty, heading, here, python, redraw } from "./views.js";

const SUMMARY = "/v1/diary-logs/summary";

/** The Monday of a day's week. */
export function monday(date) {
  return later(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** @param {number} weeks that many, of which the last is the week of `date` */
export async function showWeeks(place, profile, date, weeks) {
  const to = later(monday(date), 6);
  const from = later(to, 1 - 7 * weeks);
  const parameters = { profile_reference_id: profile.reference_id, from, to };
  const { data, total } = await get(SUMMARY, parameters);
  const sums = new Map(data.map((each) => [each.date, each]));
  const days = Array.from({ length: 7 * weeks }, (_, index) => later(from, index))
    .map((each) => ({ date: each, sum: sums.get(each) ?? null }));
  const link = (each) => here({ view: null, date: each });
  redraw(place, heading(`${day(from, { day: "numeric", month: "long" })} to ${day(to, { dateStyle: "long" })}`),
    data.length === 0 && empty("Nothing is logged in these days. Choose others, or a day to add something."),
    h("section", { class: "card" }, dayChart(days, (each) => location.assign(link(each))), averages(total, data.length),
      h("details", { class: "figures-table" }, h("summary", {}, "The figures of the chart"),
        dayTable(days, total, link))),
    showCall({ path: SUMMARY, parameters,
      python: python("diary.summary", [profile.reference_id], { from_: from, to }) }));
}

function averages(total, logged) {
  if (!logged) return null;
  return [h("h3", {}, `On average of the ${count(logged)} ${logged === 1 ? "day" : "days"} with entries`),
    h("dl", { class: "averages" }, FIGURES.map(({ name, title, unit }) => {
      const sum = total.macro_nutrients[name];
      return h("div", {}, h("dt", {}, title),
        h("dd", {}, figure(sum === undefined ? sum : sum / logged, unit), honesty(total, name)));
    }))];
}

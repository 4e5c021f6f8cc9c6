// The diary of one day: its meals, what each entry has, and what the day comes to.

import { h } from "./dom.js";
import { all, may } from "./api.js";
import { eatenText } from "./amounts.js";
import { showCall } from "./calls.js";
import { shareBar } from "./energy_chart.js";
import { day, later } from "./format.js";
import { MEALS, changeLog, copyDay, copyWholeDay, logFood, mealNow } from "./log_dialog.js";
import { ENERGY, FACTORS, MACROS, figure, honesty, sumUp } from "./sums.js";
import { settle } from "./toasts.js";
import { button, heading, isShown, python, redraw, removeItem, rowButton } from "./views.js";

const LOGS = "/v1/diary-logs";

/** @param {?string} foodId a food that was found elsewhere, to be added */
export async function showDay(place, profile, date, foodId = null) {
  const whose = { profile_reference_id: profile.reference_id };
  const parameters = { ...whose, date, limit: 100 };
  let logs = [];

  const draw = () => {
    const shown = logs.filter((log) => isShown(address(log)));
    const meals = MEALS.map(([meal, title]) => mealCard(meal, title, shown.filter((log) => log.meal === meal), act));
    const tools = h("div", { class: "row" },
      button("Add a food", { key: "add", kind: "primary", press: () => act.add(mealNow(profile.zone)) }),
      shown.length ? button("Copy the day", { key: "copy", press: () => act.copy(null) })
        : button("Copy the day before", { key: "copy", press: act.copyBefore }));
    redraw(place, h("div", { class: "row apart" }, heading(day(date, { dateStyle: "full" })), may("write") && tools),
    h("div", { class: "day" }, h("div", {}, meals), totals(sumUp(shown))),
    showCall({ path: LOGS, parameters, python: python("diary.list", [profile.reference_id], { date, limit: 100 }) }));
  };
  const load = async () => {
    logs = await all(LOGS, parameters);
    draw();
  };
  const act = {
    add: (meal, foodId) => logFood(profile, { date, meal, foodId }, load),
    change: (log) => changeLog(log, load),
    remove: (log) => removeItem(`${log.food_name} deleted.`, address(log), whose, draw),
    async copy(meal) {
      // What is deleted on the screen shall not be copied.
      await settle();
      await copyDay(profile, { date, meal, to: later(date, 1) }, load);
    },
    async copyBefore() {
      await settle();
      await copyWholeDay(profile, { date: later(date, -1), to: date }, load);
    },
  };
  await load();
  if (foodId && may("write")) act.add(mealNow(profile.zone), foodId);
}

function address(log) {
  return `${LOGS}/${log._id}`;
}

function mealCard(meal, title, logs, act) {
  const sum = sumUp(logs);
  const energy = h("strong", {}, figure(sum.macro_nutrients[ENERGY], "kcal"));
  const called = title.toLowerCase();
  const tool = (words, label, press) => button(words, { key: label, label, kind: "quiet small", press });
  return h("section", { class: "card meal", "aria-labelledby": `meal-${meal}` },
    h("div", { class: "row apart" }, h("h3", { id: `meal-${meal}` }, title),
      logs.length > 0 && h("span", { class: "number" }, energy, " ", honesty(sum, ENERGY))),
    logs.length > 0 && h("ul", { class: "list" }, logs.map((log) => entry(log, act))),
    may("write") && h("div", { class: "row" },
      tool("Add", `Add to ${called}`, () => act.add(meal)),
      logs.length > 0 && tool("Copy", `Copy ${called}`, () => act.copy(meal))));
}

function entry(log, act) {
  // A brand or a note in a script from right to left takes neither the amount nor the quotes along.
  const about = [log.brand_name && [h("bdi", {}, log.brand_name), " · "], eatenText(log)];
  const note = log.note && [" · “", h("bdi", {}, log.note), "”"];
  return h("li", { class: "entry" },
    h("span", { class: "what" }, h("a", { class: "name", href: `/food?id=${log.food_id}` }, log.food_name),
      h("small", {}, about, note)),
    h("span", { class: "number" }, figure(log.macro_nutrients[ENERGY], "kcal")),
    may("write") && h("span", { class: "acts" },
      rowButton("Change", log._id, log.food_name, () => act.change(log)),
      rowButton("Delete", log._id, log.food_name, () => act.remove(log))));
}

function totals(sum) {
  const lines = MACROS.map(({ name, title, kind }) => h("div", {},
    h("dt", {}, h("span", { class: `dot ${kind}`, "aria-hidden": "true" }), title),
    h("dd", { class: "number" }, figure(sum.macro_nutrients[name], "g"), honesty(sum, name))));
  return h("section", { class: "card totals", "aria-labelledby": "totals" }, h("h3", { id: "totals" }, "The whole day"),
    sum.entries === 0 ? h("p", { class: "hint" }, "Nothing is logged on this day.") : [
      h("p", { class: "big" }, figure(sum.macro_nutrients[ENERGY], "kcal"), " ", honesty(sum, ENERGY)),
      shareBar(sum), h("dl", { class: "figures" }, lines), h("p", { class: "hint" }, FACTORS)]);
}

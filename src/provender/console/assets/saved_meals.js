// The saved meals of a profile, with what each comes to.

import { h } from "./dom.js";
import { may, post, remove } from "./api.js";
import { details } from "./details.js";
import { amount, day, today } from "./format.js";
import { ask, field, input, select } from "./forms.js";
import { MEALS, mealTitle } from "./log_dialog.js";
import { editMeal } from "./meal_dialog.js";
import { ENERGY, figure, honesty, macroLine } from "./sums.js";
import { tell } from "./toasts.js";
import { button, empty, heading, isShown, listCall, listed, pager, redraw, removeItem, rowButton } from "./views.js";

const SAVED = "/v1/saved-meals";
const address = (meal) => `${SAVED}/${meal._id}`;

export async function showSavedMeals(place, profile) {
  const whose = { profile_reference_id: profile.reference_id };
  let page;
  const sums = details(sumOf);
  const load = async () => {
    page = await listed(SAVED, whose);
    sums.forget();
    draw();
  };
  const draw = () => {
    const shown = page.data.filter((meal) => isShown(address(meal)));
    const press = () => editMeal(profile, null, load);
    const create = button("New saved meal", { key: "new", kind: "primary", press });
    redraw(place, h("div", { class: "row apart" }, heading("Saved meals"), may("write") && create),
    shown.length === 0
      ? empty("No saved meals yet. ", may("write") && "Save what is eaten together, and log it as one.")
      : h("div", { class: "columns" }, shown.map((meal) => card(meal, act, sums.fill(h("div", { class: "sum" }, "…"), address(meal))))),
    pager(page.has_more, shown),
    listCall(SAVED, "saved_meals.list", profile));
  };
  const act = {
    log: (meal) => logMeal(meal, today(profile.zone)),
    change: (meal) => editMeal(profile, meal, load),
    remove: (meal) => removeItem(`${meal.name} deleted.`, address(meal), whose, draw),
  };
  await load();
}

/** What a meal comes to. The list does not have it. */
function sumOf(meal) {
  const known = meal.items.filter((item) => !item.missing).length;
  const sum = { entries: known, macro_nutrients: meal.totals.macro_nutrients, unknown: meal.unknown };
  return [h("p", {}, h("strong", {}, figure(sum.macro_nutrients[ENERGY], "kcal")), " ",
    honesty(sum, ENERGY, ["item", "items"])), h("p", {}, macroLine(sum.macro_nutrients))];
}

function card(meal, act, sum) {
  return h("section", { class: "card saved", "aria-label": meal.name },
    h("div", { class: "row apart" }, h("h3", {}, meal.name), h("span", { class: "badge" }, mealTitle(meal.meal))),
    h("ul", { class: "items" }, meal.items.map((item) => h("li", {},
      `${amount(item.number_of_servings)} × `, h("bdi", {}, item.food_name),
      item.missing && h("small", { class: "gone" }, " does not exist any more")))),
    sum,
    may("write") && h("div", { class: "row" },
      rowButton("Log", meal._id, meal.name, () => act.log(meal), "small primary"),
      rowButton("Change", meal._id, meal.name, () => act.change(meal)),
      rowButton("Delete", meal._id, meal.name, () => act.remove(meal))));
}

async function logMeal(meal, date) {
  const missing = meal.items.filter((item) => item.missing).length;
  const answer = await ask({
    title: `Log ${meal.name}`,
    action: "Log",
    content: [
      missing > 0 && h("p", { class: "notice" },
        `${missing} of ${meal.items.length} items no longer exist. The others are logged.`),
      h("div", { class: "fields" }, field("Meal", select("meal", MEALS, meal.meal)),
        field("Day", input("date", { type: "date", value: date, required: true }))),
      field("Note", input("note", { maxlength: 1000 }), { hint: "Every entry gets it." })],
    async send(form) {
      const { meal: at, date: when, note } = form.elements;
      const body = { meal: at.value, date: when.value || null, note: note.value || null, skip_missing: missing > 0 };
      return { ...(await post(`${address(meal)}/log`, body)), date: body.date ?? date };
    },
  });
  if (!answer) return;
  tell(`${meal.name} logged on ${day(answer.date)}.`, async () => {
    for (const { _id: id } of answer.data) await remove(`/v1/diary-logs/${id}`);
  });
}

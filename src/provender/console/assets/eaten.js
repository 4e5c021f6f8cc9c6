// What a profile has eaten recently, and most often: lists to log from again.

import { h } from "./dom.js";
import { may } from "./api.js";
import { addFavorite } from "./favorites.js";
import { today } from "./format.js";
import { foodRow } from "./food_row.js";
import { MEALS, logAgain, mealNow } from "./log_dialog.js";
import { empty, heading, here, listCall, listed, pager, redraw, rowButton } from "./views.js";

export const showRecently = (place, profile) => show(place, profile, {
  path: "/v1/foods/recently-eaten", method: "eaten.recently", title: "Recently eaten", hint: "Last logged first.",
  none: "Nothing is logged yet. What is added to the diary comes up here." });

export const showMost = (place, profile) => show(place, profile, {
  path: "/v1/foods/most-eaten", method: "eaten.most", title: "Most eaten",
  hint: "Most often logged first, in the past 30 days.",
  none: "Nothing was logged in the past 30 days. What is added to the diary comes up here." });

async function show(place, profile, { path, method, title, hint, none }) {
  const wanted = new URLSearchParams(location.search).get("meal");
  const meal = MEALS.some(([value]) => value === wanted) ? wanted : null;
  const parameters = { profile_reference_id: profile.reference_id, meal };
  const page = await listed(path, parameters);
  const again = (food) => logAgain(profile, food, { date: today(profile.zone), meal: meal ?? mealNow(profile.zone) });
  const at = (value) => here({ meal: value, starting_after: null, ending_before: null });
  redraw(place, heading(title), h("p", { class: "hint" }, hint),
    h("nav", { class: "views row", "aria-label": "Which meal" }, [[null, "All meals"], ...MEALS].map(([value, name]) =>
      h("a", { class: "button", href: at(value), "aria-current": value === meal && "page" }, name))),
    page.data.length === 0 ? empty(meal ? "Nothing of this meal. " : none)
      : h("ul", { class: "list card" }, page.data.map((food) => foodRow(food,
        rowButton("Log again", food._id, food.food_name, () => again(food)),
        rowButton("Favorite", food._id, food.food_name, () => addFavorite(profile, food))))),
    page.data.length > 0 && may("write") && h("p", { class: "hint" }, "Log again adds one serving to today."),
    pager(page.has_more, page.data),
    listCall(path, method, profile, { meal }));
}

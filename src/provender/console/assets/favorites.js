// The favorite foods of a profile.

import { h } from "./dom.js";
import { may, post, remove } from "./api.js";
import { foodFinder } from "./food_finder.js";
import { today } from "./format.js";
import { foodRow } from "./food_row.js";
import { logAgain, mealNow } from "./log_dialog.js";
import { settle, tell } from "./toasts.js";
import { empty, heading, isShown, listCall, listed, pager, redraw, removeItem, rowButton, showAgain } from "./views.js";

const FAVORITES = "/v1/foods/favorites";
const address = (food) => `${FAVORITES}/${food._id}`;

export async function showFavorites(place, profile) {
  const whose = { profile_reference_id: profile.reference_id };
  let page;
  const load = async () => {
    page = await listed(FAVORITES, whose);
    draw();
  };
  const finder = may("write") && h("section", { class: "card" }, foodFinder(profile, async (food, box) => {
    await addFavorite(profile, food, load);
    box.value = "";
  }, "Add a favorite"));
  const draw = () => {
    const foods = page.data.filter((food) => isShown(address(food)));
    redraw(list, heading("Favorites"), foods.length === 0
      ? empty("No favorites yet. ", may("write") && "Find a food above, and it is kept here.")
      : h("ul", { class: "list card" }, foods.map((food) => foodRow(food,
        rowButton("Log", food._id, food.food_name,
          () => logAgain(profile, food, { date: today(profile.zone), meal: mealNow(profile.zone) })),
        rowButton("Remove", food._id, food.food_name,
          () => removeItem(`${food.food_name} is no favorite any more.`, address(food), whose, draw))))),
    pager(page.has_more, foods),
    listCall(FAVORITES, "favorites.list", profile));
  };
  const list = h("div", {});
  place.replaceChildren(...[finder, list].filter(Boolean));
  await load();
}

/** Make it a favorite, with undo. A removal of the same food that still waits must not come after it. */
export async function addFavorite(profile, food, done = async () => {}) {
  await settle();
  const whose = { profile_reference_id: profile.reference_id };
  await post(address(food), whose);
  showAgain(address(food));
  await done();
  tell(`${food.food_name} is a favorite now.`, async () => {
    await remove(address(food), whose);
    await done();
  });
}

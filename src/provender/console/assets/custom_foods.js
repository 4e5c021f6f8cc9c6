// The foods that a profile has made for itself.

import { h } from "./dom.js";
import { get, may } from "./api.js";
import { editFood } from "./custom_food_dialog.js";
import { foodRow } from "./food_row.js";
import { button, empty, heading, isShown, listCall, listed, pager, redraw, removeItem, rowButton } from "./views.js";

const CUSTOM = "/v1/foods/custom";
const GROUPS = ["vitamins", "minerals", "carbohydrates", "lipids", "proteins"];
const address = (food) => `${CUSTOM}/${food._id}`;

export async function showCustomFoods(place, profile) {
  const whose = { profile_reference_id: profile.reference_id };
  let page;
  const load = async () => {
    page = await listed(CUSTOM, whose);
    draw();
  };
  // Only the form wants all nutrients, of the food and of the API.
  const edit = async (food) => {
    const whole = food && get(`/v1/foods/${food._id}`, { include: GROUPS });
    const [known, { data: nutrients }] = await Promise.all([whole, get("/v1/nutrients")]);
    await editFood(profile, known, nutrients, load);
  };
  const draw = () => {
    const foods = page.data.filter((food) => isShown(address(food)));
    redraw(place, h("div", { class: "row apart" }, heading("Custom foods"),
      may("write") && button("New custom food", { key: "new", kind: "primary", press: () => edit(null) })),
    foods.length === 0
      ? empty("No custom foods yet. ", may("write") && "Make one for what the catalogue does not have.")
      : h("ul", { class: "list card" }, foods.map((food) => foodRow(food,
        rowButton("Change", food._id, food.food_name, () => edit(food)),
        rowButton("Delete", food._id, food.food_name,
          () => removeItem(`${food.food_name} deleted.`, address(food), whose, draw))))),
    pager(page.has_more, foods),
    listCall(CUSTOM, "custom_foods.list", profile));
  };
  await load();
}

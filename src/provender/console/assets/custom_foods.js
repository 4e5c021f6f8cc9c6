// The foods that a profile has made for itself.

import { h } from "./dom.js";
import { get, may } from "./api.js";
import { showCall } from "./calls.js";
import { editFood } from "./custom_food_dialog.js";
import { foodRow } from "./food_row.js";
import { button, empty, heading, isShown, listed, pager, python, redraw, removeItem, rowButton } from "./views.js";

const CUSTOM = "/v1/foods/custom";
const GROUPS = ["vitamins", "minerals", "carbohydrates", "lipids", "proteins"];
const address = (food) => `${CUSTOM}/${food._id}`;

export async function showCustomFoods(place, profile) {
  const whose = { profile_reference_id: profile.reference_id };
  let page;
  const load = async () => {
    page = await listed(CUSTOM, { ...whose, include: GROUPS });
    draw();
  };
  // The names of nutrients are wanted by the form alone.
  const edit = async (food) => editFood(profile, food, (await get("/v1/nutrients")).data, load);
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
    showCall({ path: CUSTOM, parameters: whose, python: python("custom_foods.list", [profile.reference_id]) }));
  };
  await load();
}

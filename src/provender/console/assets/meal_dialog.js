// Making a saved meal, and changing one: a name, the meal of the day, and items with their amounts.

import { h } from "./dom.js";
import { patch, post, remove } from "./api.js";
import { foodFinder } from "./food_finder.js";
import { ask, fault, field, input, select, typed } from "./forms.js";
import { MEALS } from "./log_dialog.js";
import { tell } from "./toasts.js";

const SAVED = "/v1/saved-meals";

/** @param {object | null} meal the one to change, or null for a new one; `done` is called after each change and undo */
export async function editMeal(profile, meal, done) {
  const items = h("ul", { class: "list edited", "aria-label": "Items" });
  const add = (item) => items.append(row(item));
  for (const item of meal?.items ?? []) add(item);
  const finder = foodFinder(profile, (food, box) => {
    add({ food_id: food._id, food_name: food.food_name, serving: food.serving_description, number_of_servings: 1 });
    box.value = "";
  }, "Add an item");
  const answer = await ask({
    title: meal ? `Change ${meal.name}` : "New saved meal",
    action: meal ? "Save" : "Create",
    content: [field("Name", input("name", { value: meal?.name ?? "", maxlength: 255 })),
      field("Meal", select("meal", MEALS, meal?.meal ?? "breakfast")), items, finder],
    send(form) {
      number(items);
      const { name, meal: at } = form.elements;
      const body = { name: name.value, meal: at.value, items: [...items.children].map(read) };
      if (!body.items.length) throw fault("food_id", "Add at least one item: type a name, and choose a food.");
      if (meal) return patch(`${SAVED}/${meal._id}`, body);
      return post(SAVED, { profile_reference_id: profile.reference_id, ...body });
    },
  });
  if (!answer) return;
  await done();
  if (!meal) {
    tell("Saved meal created.", async () => {
      await remove(`${SAVED}/${answer._id}`);
      await done();
    });
    return;
  }
  tell(`${meal.name} changed.`, async () => {
    const before = meal.items.map(({ food_id, number_of_servings }) => ({ food_id, number_of_servings }));
    await patch(`${SAVED}/${meal._id}`, { name: meal.name, meal: meal.meal, items: before });
    await done();
  });
}

function row(item) {
  const servings = input("", { inputmode: "decimal", value: String(item.number_of_servings),
    "aria-label": `Servings of ${item.food_name}` });
  const line = h("li", { "data-food": item.food_id },
    h("span", { class: "what" }, item.food_name, item.serving && h("small", {}, ` ${item.serving}`),
      item.missing && h("small", { class: "gone" }, " does not exist any more"),
      h("p", { class: "error" }), h("p", { class: "error" })),
    servings,
    h("button", { type: "button", class: "small", "aria-label": `Remove ${item.food_name}`, onclick: () => {
      const next = line.nextElementSibling ?? line.previousElementSibling;
      line.remove();
      (next?.querySelector("button") ?? document.querySelector("dialog [role=combobox]")).focus();
    } }, "Remove"));
  return line;
}

/** Faults of items are named by their places, and places change. */
function number(items) {
  for (const [index, line] of [...items.children].entries()) {
    const [food, servings] = line.querySelectorAll(".error");
    food.dataset.faultOf = `items[${index}].food_id`;
    servings.dataset.faultOf = `items[${index}].number_of_servings`;
    line.querySelector("input").name = servings.dataset.faultOf;
  }
}

function read(line) {
  return { food_id: line.dataset.food, number_of_servings: typed(line.querySelector("input").value) };
}

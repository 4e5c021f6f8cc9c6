// Making a custom food, and changing one: its serving, and as many nutrients as somebody knows.

import { h } from "./dom.js";
import { patch, post, remove } from "./api.js";
import { ask, field, input, select, typed } from "./forms.js";
import { gtin13s } from "./gtin.js";
import { MACROS, ENERGY } from "./sums.js";
import { tell } from "./toasts.js";

const CUSTOM = "/v1/foods/custom";
const FIRST = [ENERGY, ...MACROS.map((macro) => macro.name)];
const GROUPS = {
  macro_nutrients: "More macronutrients", water_in_gm: "Water", vitamins: "Vitamins", minerals: "Minerals",
  carbohydrates: "Carbohydrates", lipids: "Fats", proteins: "Amino acids",
};
const TEXTS = ["food_name", "food_type", "serving_description", "metric_serving_unit"];

/** @param {object | null} food the one to change, with all its groups, or null for a new one */
export async function editFood(profile, food, nutrients, done) {
  const whose = { profile_reference_id: profile.reference_id };
  const known = food ? withOwnNames(food, nutrients) : nutrients;
  const answer = await ask({
    title: food ? `Change ${food.food_name}` : "New custom food",
    action: food ? "Save" : "Create",
    wide: true,
    content: [aboutFields(food), macroFields(food, known),
      Object.keys(GROUPS).map((group) => folded(food, known, group))],
    send(form) {
      const body = { ...whose, ...read(form, known, food) };
      return food ? patch(`${CUSTOM}/${food._id}`, body) : post(CUSTOM, body);
    },
  });
  if (!answer) return;
  await done();
  if (!food) {
    tell("Custom food created.", async () => {
      await remove(`${CUSTOM}/${answer._id}`, whose);
      await done();
    });
    return;
  }
  tell(`${food.food_name} changed.`, async () => {
    await patch(`${CUSTOM}/${food._id}`, { ...whose, ...asItWas(food, answer, known) });
    await done();
  });
}

function aboutFields(food) {
  const type = select("food_type", [["generic", "Generic"], ["brand", "Of a brand"]], food?.food_type ?? "generic");
  const brand = field("Brand", input("brand_name", { value: food?.brand_name ?? "", maxlength: 255 }));
  brand.hidden = type.value !== "brand";
  type.addEventListener("change", () => (brand.hidden = type.value !== "brand"));
  const units = ["g", "ml", "oz"].map((unit) => [unit, unit]);
  const text = (name, label, options = {}) => field(label, input(name, { value: food?.[name] ?? "", ...options }));
  return [text("food_name", "Name", { maxlength: 255 }), h("div", { class: "fields" }, field("Type", type), brand),
    h("div", { class: "fields" }, text("serving_description", "Serving", { placeholder: "1 bowl", maxlength: 255 }),
      text("metric_serving_amount", "It weighs or holds", { inputmode: "numeric", placeholder: "60" }),
      field("Unit", select("metric_serving_unit", units, food?.metric_serving_unit ?? "g"))),
    text("barcode", "Barcode", { inputmode: "numeric", placeholder: "as it is printed, if it has one" })];
}

function macroFields(food, nutrients) {
  return h("fieldset", {}, h("legend", {}, "In one serving"), h("div", { class: "fields" },
    nutrients.filter(({ name }) => FIRST.includes(name)).map((nutrient) => nutrientField(food, nutrient))),
  h("p", { class: "hint" }, "What is left empty is unknown, which is not the same as 0."));
}

function folded(food, nutrients, group) {
  const members = nutrients.filter((nutrient) => nutrient.group === group && !FIRST.includes(nutrient.name));
  if (!members.length) return null;
  const filled = members.filter((nutrient) => valueOf(food, nutrient) !== undefined).length;
  return h("details", { class: "group" },
    h("summary", {}, GROUPS[group], filled > 0 && h("small", {}, ` ${filled} known`)),
    h("div", { class: "fields" }, members.map((nutrient) => nutrientField(food, nutrient))));
}

function nutrientField(food, nutrient) {
  const value = valueOf(food, nutrient);
  return field(`${nutrient.title}${nutrient.unit ? ` (${nutrient.unit})` : ""}`,
    input(controlName(nutrient), { inputmode: "decimal", value: value === undefined ? "" : String(value) }));
}

/** As the API names it in faults. */
function controlName({ group, name }) {
  return group === "water_in_gm" ? name : `${group}[${name}]`;
}

function valueOf(food, { group, name }) {
  return group === "water_in_gm" ? food?.[name] : food?.[group]?.[name];
}

/** Members that an application has named by itself are there to be changed, too. */
function withOwnNames(food, nutrients) {
  const names = new Set(nutrients.map(({ group, name }) => `${group} ${name}`));
  const own = Object.keys(GROUPS).filter((group) => group !== "water_in_gm").flatMap((group) =>
    Object.keys(food[group] ?? {}).map((name) => ({ group, name, title: name })));
  return [...nutrients, ...own.filter(({ group, name }) => !names.has(`${group} ${name}`))];
}

/** What the form says, as the API takes it. Of a food that is changed, only what is another now. */
function read(form, nutrients, food) {
  const { elements } = form;
  const body = Object.fromEntries(TEXTS.map((name) => [name, elements[name].value]));
  body.metric_serving_amount = typed(elements.metric_serving_amount.value);
  body.brand_name = body.food_type === "brand" ? elements.brand_name.value || null : null;
  body.barcode = barcode(elements.barcode.value.trim());
  for (const nutrient of nutrients) {
    const text = elements[controlName(nutrient)].value;
    const before = valueOf(food, nutrient);
    if (text.trim() === (before === undefined ? "" : String(before))) continue;
    put(body, nutrient, text.trim() === "" ? null : typed(text));
  }
  return body;
}

/** The GTIN-13 of what was typed. What can be read in two ways, or in none, the API refuses, and says what to send. */
function barcode(text) {
  const codes = gtin13s(text);
  return codes.length === 1 ? codes[0] : text || null;
}

function asItWas(food, now, nutrients) {
  const body = Object.fromEntries([...TEXTS, "metric_serving_amount", "brand_name"].map((name) => [name, food[name]]));
  body.barcode = food.barcode ?? null;
  for (const nutrient of nutrients) {
    if (valueOf(food, nutrient) !== valueOf(now, nutrient)) put(body, nutrient, valueOf(food, nutrient) ?? null);
  }
  return body;
}

function put(body, { group, name }, value) {
  if (group === "water_in_gm") body[name] = value;
  else (body[group] ??= {})[name] = value;
}

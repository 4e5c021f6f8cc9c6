// One food: its label, its servings, charts against daily values, where it is from, and the calls that give it.

import { $, h, replace } from "./dom.js";
import { get, may, Refused, segment } from "./api.js";
import { showCall, text } from "./calls.js";
import { amount, servingText } from "./format.js";
import { lastProfile } from "./last_profile.js";
import { nutritionFacts } from "./nutrition_facts.js";
import { dailyBars, dailySource, energyRing } from "./charts.js";
import { provenance } from "./provenance.js";

const GROUPS = ["vitamins", "minerals", "carbohydrates", "lipids", "proteins"];
const TITLES = { macro_nutrients: "Macronutrients", water_in_gm: "Water", vitamins: "Vitamins", minerals: "Minerals",
  carbohydrates: "Carbohydrates", lipids: "Lipids", proteins: "Amino acids" };

const asked = new URLSearchParams(location.search);
const id = asked.get("id") ?? "";
const place = $("#food");

try {
  const [food, registry] = await Promise.all([
    get(`/v1/foods/${segment(id)}`, { include: [...GROUPS, "servings"] }), get("/v1/nutrients")]);
  show(food, registry.data);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  replace(place, h("h1", {}, error.status === 404 ? "No such food" : "Food"), h("p", { role: "alert" },
    error.status === 404 ? "It may have been deleted, or a letter of the address is wrong." : error.message));
}

function show(food, registry) {
  document.title = `${food.food_name} · Provender`;
  const nutrients = new Map(registry.map((nutrient) => [nutrient.name, nutrient]));
  const servings = choices(food);
  const chosen = servings.find((serving) => serving.id === asked.get("serving")) ?? servings[0];
  const panels = h("div", { class: "columns food-panels" });
  const select = h("select", { id: "serving" },
    servings.map((serving) => h("option", { value: serving.id, selected: serving === chosen }, serving.label)));
  const weight = h("input", { id: "weight", type: "number", min: "0", step: "any", inputmode: "decimal" });
  const unit = food.metric_serving_unit;

  const draw = (amountOfUnit, description) => {
    const values = scaled(food, amountOfUnit / food.metric_serving_amount);
    replace(panels, ...panelsOf(values, { description, size: `${amount(amountOfUnit)} ${unit}` }, registry, nutrients));
  };
  select.addEventListener("change", () => {
    const serving = servings.find((each) => each.id === select.value);
    weight.value = serving.amount;
    asked.set("serving", serving.id);
    history.replaceState(null, "", `/food?${asked}`);
    draw(serving.amount, serving.description);
  });
  weight.addEventListener("input", () => {
    const given = weight.valueAsNumber;
    if (given > 0) draw(given, "Amount of your choice");
  });

  replace(place,
    h("h1", {}, food.food_name),
    h("p", { class: "row" }, food.brand_name && h("span", { class: "badge" }, food.brand_name),
      h("span", { class: "badge off" }, food.food_type === "brand" ? "brand" : "plain food"),
      food.profile_reference_id !== null && h("a", { href: `/profile?reference_id=${encodeURIComponent(food.profile_reference_id)}&tab=custom-foods` },
        `custom food of ${food.profile_reference_id}`),
      food.barcode && h("span", { class: "hint" }, `Barcode ${food.barcode}`), adding(food)),
    h("div", { class: "card fields" },
      h("div", { class: "field" }, h("label", { for: "serving" }, "Serving"), select),
      h("div", { class: "field" }, h("label", { for: "weight" }, `Amount in ${unit}`), weight)),
    panels,
    h("section", { class: "card", "aria-labelledby": "origin" }, h("h2", { id: "origin" }, "Where it is from"), provenance(food)),
    showCall({ path: `/v1/foods/${segment(food._id)}`, parameters: { include: [...GROUPS, "servings"] },
      python: `food = client.foods.retrieve(${text(food._id)}, include=${JSON.stringify([...GROUPS, "servings"])})` }));
  weight.value = chosen.amount;
  draw(chosen.amount, chosen.description);
}

/** Into the diary that was looked at last; a custom food goes into that of its own profile alone. */
function adding(food) {
  const reference = food.profile_reference_id ?? lastProfile();
  if (reference === null || !may("write")) return null;
  const link = `/profile?${new URLSearchParams({ reference_id: reference, add: food._id })}`;
  return h("a", { class: "button primary", href: link }, "Add to the diary of ", h("bdi", {}, reference));
}

/** The servings that a food can be shown in: its own measures, and 100 of its unit. */
function choices(food) {
  const own = { id: "", description: food.serving_description, amount: food.metric_serving_amount };
  const others = (food.servings ?? []).map((serving) => ({ id: serving._id, description: serving.serving_description,
    amount: serving.metric_serving_amount }));
  const known = others.some((each) => each.description === own.description && each.amount === own.amount) ? others : [own, ...others];
  // The one that the food's own answer is for goes first.
  const sorted = [...known].sort((one, other) => Number(other.amount === own.amount) - Number(one.amount === own.amount));
  const unit = food.metric_serving_unit;
  if (unit !== "oz" && !known.some((each) => each.amount === 100)) sorted.push({ id: "100", description: `100 ${unit}`, amount: 100 });
  return sorted.map((each) => ({ ...each, label: servingText({
    serving_description: each.description, metric_serving_amount: each.amount, metric_serving_unit: unit }) }));
}

/** All values of a food in one object, for so many of its servings. */
function scaled(food, times) {
  const groups = [food.macro_nutrients, ...GROUPS.map((group) => food[group] ?? {})];
  const all = Object.assign({}, ...groups);
  if (food.water_in_gm !== undefined) all.water_in_gm = food.water_in_gm;
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, value * times]));
}

function panelsOf(values, serving, registry, nutrients) {
  const of = (group) => registry.filter((nutrient) => nutrient.group === group);
  const card = (title, ...content) => h("div", { class: "card" }, h("h2", {}, title), content);
  return [
    h("div", { class: "card" }, nutritionFacts(serving, values, nutrients)),
    h("div", { class: "stack" },
      card("Energy", energyRing(values) ?? h("p", { class: "empty" }, "Its macronutrients are not known.")),
      card("Minerals", dailyBars("Minerals", of("minerals"), values), dailySource())),
    card("Vitamins", dailyBars("Vitamins", of("vitamins"), values), dailySource()),
    h("details", { class: "card everything" }, h("summary", {}, `All ${Object.keys(values).length} known nutrients`),
      everything(values, registry)),
  ];
}

function everything(values, registry) {
  const unknown = Object.keys(values).filter((name) => !registry.some((nutrient) => nutrient.name === name));
  const groups = Object.keys(TITLES).map((group) => [TITLES[group], registry.filter((nutrient) => nutrient.group === group)]);
  // A custom food may carry names of its own.
  groups.push(["Others", unknown.map((name) => ({ name, title: name, unit: "" }))]);
  return groups.map(([title, members]) => {
    const known = members.filter(({ name }) => values[name] !== undefined);
    return known.length > 0 && [h("h3", {}, title), h("table", {}, h("tbody", {}, known.map((nutrient) =>
      h("tr", {}, h("th", { scope: "row" }, nutrient.title), h("td", { class: "number" }, `${amount(values[nutrient.name])} ${nutrient.unit}`)))))];
  });
}

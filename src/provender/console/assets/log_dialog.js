// Logging a food, and changing what was logged.

import { $, h, replace } from "./dom.js";
import { get, patch, post, remove, segment } from "./api.js";
import { amountFields, sentAmount } from "./amounts.js";
import { day } from "./format.js";
import { foodFinder } from "./food_finder.js";
import { ask, fault, field, input, select } from "./forms.js";
import { tell } from "./toasts.js";

export const MEALS = [["breakfast", "Breakfast"], ["lunch", "Lunch"], ["dinner", "Dinner"], ["snack", "Snack"]];
export const mealTitle = (meal) => MEALS.find(([value]) => value === meal)[1];

const LOGS = "/v1/diary-logs";

/** The meal that people have at this hour of the profile's day. */
export function mealNow(timeZone) {
  const hour = Number(new Intl.DateTimeFormat("en-GB", { hour: "numeric", hourCycle: "h23", timeZone }).format());
  if (hour >= 4 && hour < 11) return "breakfast";
  if (hour >= 11 && hour < 15) return "lunch";
  return hour >= 17 && hour < 22 ? "dinner" : "snack";
}

/**
 * Log a food that is found in the dialog, or was elsewhere: then `foodId` names it. `done` is called when the diary has
 * changed, also by an undo.
 */
export async function logFood(profile, { date, meal, foodId = null }, done) {
  const chosen = h("div", {});
  let food = null;
  let amounts = null;
  const choose = async ({ _id: id }, box) => {
    const words = box.value;
    const whole = await get(`/v1/foods/${segment(id)}`, { include: ["servings"] });
    if (box.value !== words) return;
    food = whole;
    amounts = amountFields(food);
    box.value = food.food_name;
    replace(chosen, amounts.fields);
    amounts.number.focus();
  };
  const finder = foodFinder(profile, choose);
  // Whoever types another name has not chosen yet: what was chosen before must not be logged under it.
  finder.addEventListener("input", () => {
    food = null;
    replace(chosen);
  });
  if (foodId) choose({ _id: foodId }, $("input", finder));
  const answer = await ask({
    title: "Add to the diary",
    action: "Add",
    content: [finder, chosen, whenFields({ date, meal, note: null })],
    async send(form) {
      if (!food) throw fault("food_id", "Type a name, and choose a food from the list.");
      const { _id: id, food_name: name } = food;
      const whose = { profile_reference_id: profile.reference_id, food_id: id };
      const body = { ...whose, ...amounts.values(), ...when(form) };
      return { ...(await post(LOGS, body)), date: body.date ?? date, name };
    },
  });
  if (!answer) return;
  await done();
  tell(`${answer.name} added${answer.date === date ? "" : ` on ${day(answer.date)}`}.`, async () => {
    await remove(`${LOGS}/${answer._id}`);
    await done();
  });
}

export async function changeLog(log, done) {
  const amounts = amountFields(log, log);
  const before = JSON.stringify(amounts.values());
  const answer = await ask({
    title: `Change ${log.food_name}`,
    action: "Save",
    content: [amounts.fields, whenFields(log)],
    send(form) {
      const sent = amounts.values();
      return patch(`${LOGS}/${log._id}`, { ...(JSON.stringify(sent) === before ? {} : sent), ...when(form) });
    },
  });
  if (!answer) return;
  await done();
  tell(`${log.food_name} changed.`, async () => {
    const { meal, date, note } = log;
    await patch(`${LOGS}/${log._id}`, { ...sentAmount(log), meal, date, note });
    await done();
  });
}

/** Log one serving of a food for today with one press. */
export async function logAgain(profile, food, { date, meal }) {
  const body = { profile_reference_id: profile.reference_id, food_id: food._id, date, meal };
  const { _id: id } = await post(LOGS, body);
  tell(`${food.food_name}, ${food.serving_description}, logged today as ${mealTitle(meal).toLowerCase()}.`,
    () => remove(`${LOGS}/${id}`));
}

/** Copy a day, or one meal of it, to another day. */
export async function copyDay(profile, { date, meal, to }, done) {
  const options = [["", "The whole day"], ...MEALS];
  const answer = await ask({
    title: `Copy ${day(date)}`,
    action: "Copy",
    content: [field("What", select("meal", options, meal ?? "")),
      field("To the day", input("to", { type: "date", value: to, required: true }),
        { hint: "What that day has already stays." })],
    async send(form) {
      const body = { profile_reference_id: profile.reference_id, from: date, to: form.elements.to.value };
      if (form.elements.meal.value) body.meal = form.elements.meal.value;
      return { ...(await post(`${LOGS}/copy`, body)), to: body.to };
    },
  });
  if (answer) await copied(answer.data, { date, to: answer.to }, done);
}

/** Copy the whole of one day to another with one press. */
export async function copyWholeDay(profile, { date, to }, done) {
  const { data } = await post(`${LOGS}/copy`, { profile_reference_id: profile.reference_id, from: date, to });
  await copied(data, { date, to }, done);
}

async function copied(logs, { date, to }, done) {
  await done();
  if (!logs.length) return tell(`There is nothing to copy on ${day(date)}.`);
  tell(`${logs.length} ${logs.length === 1 ? "entry" : "entries"} copied to ${day(to)}.`, async () => {
    for (const { _id: id } of logs) await remove(`${LOGS}/${id}`);
    await done();
  });
}

function whenFields({ date, meal, note }) {
  return [h("div", { class: "fields" }, field("Meal", select("meal", MEALS, meal)),
    field("Day", input("date", { type: "date", value: date, required: true }))),
  field("Note", input("note", { value: note ?? "", maxlength: 1000 }))];
}

function when(form) {
  const { meal, date, note } = form.elements;
  return { meal: meal.value, date: date.value || null, note: note.value || null };
}

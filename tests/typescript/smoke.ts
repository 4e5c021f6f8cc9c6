// A day with Provender, written against the types that openapi-typescript makes from /openapi.json. What must not
// compile stands behind @ts-expect-error: if it does compile one day, the document has become less exact.

import createClient from "openapi-fetch";
import type { components, paths } from "./provender.js";

declare const process: { env: Record<string, string | undefined> };

type Schemas = components["schemas"];

const baseUrl = process.env["PROVENDER_URL"];
const key = process.env["PROVENDER_KEY"];
if (baseUrl === undefined || key === undefined) throw new Error("PROVENDER_URL and PROVENDER_KEY say where to ask.");

const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const me = "alice/1 +%";

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`It does not hold that ${what}.`);
}

function answered<T>(answer: { data?: T; error?: Schemas["Problem"]; response: Response }): T {
  if (answer.data === undefined) {
    throw new Error(`${answer.response.status} ${answer.error?.code ?? "without a code"}: ${answer.error?.detail ?? ""}`);
  }
  return answer.data;
}

function isKnown(value: number | undefined): value is number {
  return value !== undefined;
}

async function findBanana(): Promise<Schemas["Food"]> {
  const parts: Schemas["FoodPart"][] = ["vitamins", "minerals"];
  const params = { query: { query: "banana", "include[]": parts } };
  const page = answered(await client.GET("/v1/foods/search", { params }));
  const banana = page.data[0];
  check(banana !== undefined, "a search for banana finds something");
  check(isKnown(banana.macro_nutrients.energy_kcal), "its energy is known");
  check(banana.vitamins !== undefined && banana.minerals !== undefined, "the groups that were asked for are there");
  check(banana.lipids === undefined, "a group that was not asked for is absent");
  check(banana.created_at <= banana.updated_at, "times are numbers");
  const same = answered(await client.GET("/v1/foods/{food_id}", { params: { path: { food_id: banana._id } } }));
  check(same.food_name === banana.food_name, "the food is the same by its id");
  return banana;
}

async function createProfile(): Promise<void> {
  const created = answered(await client.POST("/v1/profiles", { body: { reference_id: me, timezone: "Europe/Berlin" } }));
  check(created.reference_id === me && !created.is_active, "a new profile is not active");
  const { error } = await client.POST("/v1/profiles", { body: { reference_id: me }, headers: FORM });
  check(error?.code === "reference_id_taken", "a second one with its reference_id is refused, also from a form");
  const found = answered(await client.GET("/v1/profiles/{reference_id}", { params: { path: { reference_id: me } } }));
  check(found._id === created._id, "a reference_id survives the path");
}

async function logInEveryWay(food_id: string): Promise<void> {
  const log = { profile_reference_id: me, food_id, date: "2026-03-10" };
  answered(await client.POST("/v1/diary-logs", { body: { ...log, meal: "breakfast", number_of_servings: 1.5 } }));
  const form: Schemas["NewLogForm"] = { ...log, metric_amount: 50, note: "" };
  answered(await client.POST("/v1/diary-logs", { body: form, headers: FORM }));
  const again = { params: { header: { "Idempotency-Key": "three-more" } }, body: { logs: [log, log, log] } };
  const first = answered(await client.POST("/v1/diary-logs/batch", again));
  const second = answered(await client.POST("/v1/diary-logs/batch", again));
  check(first.data.length === 3 && first.data[0]?._id === second.data[0]?._id, "a repeated batch is written once");
}

async function walk(): Promise<Schemas["Log"][]> {
  const logs: Schemas["Log"][] = [];
  for (let page: Schemas["LogPage"] | undefined; page === undefined || page.has_more; ) {
    const after = logs.at(-1)?._id;
    const cursor = after === undefined ? {} : { starting_after: after };
    const query = { profile_reference_id: me, date: "2026-03-10", limit: 2, ...cursor };
    page = answered(await client.GET("/v1/diary-logs", { params: { query } }));
    logs.push(...page.data);
  }
  return logs;
}

async function sumUp(logs: Schemas["Log"][]): Promise<void> {
  const query = { profile_reference_id: me, from: "2026-03-01", to: "2026-03-31" };
  const summary = answered(await client.GET("/v1/diary-logs/summary", { params: { query } }));
  const energies = logs.map((log) => log.macro_nutrients.energy_kcal).filter(isKnown);
  const expected = energies.reduce((sum, each) => sum + each, 0);
  check(summary.total.entries === 5 && summary.data[0]?.date === "2026-03-10", "a day has its entries");
  check(Math.abs((summary.total.macro_nutrients.energy_kcal ?? 0) - expected) < 1e-6, "a sum is that of its logs");
  const meals: Schemas["MealOfDay"][] = logs.map((log) => log.meal);
  check(meals.filter((meal) => meal === "breakfast").length === 1, "a meal is one of four words");
  check(logs.some((log) => log.metric_amount === 50 && log.note === null), "an empty value in a form is null");
}

async function keepFavorite(food_id: string): Promise<void> {
  const params = { path: { food_id } };
  answered(await client.POST("/v1/foods/favorites/{food_id}", { params, body: { profile_reference_id: me } }));
  const owner = { query: { profile_reference_id: me } };
  const listed = answered(await client.GET("/v1/foods/favorites", { params: owner }));
  check(listed.data.length === 1 && listed.data[0]?._id === food_id, "a favorite is listed");
  const removed = answered(await client.DELETE("/v1/foods/favorites/{food_id}", { params: { ...params, ...owner } }));
  check(removed.deleted, "a favorite is removed");
}

async function saveMeal(food_id: string): Promise<void> {
  const items: Schemas["NewMealItem"][] = [{ food_id }, { food_id, number_of_servings: 2 }];
  const body: Schemas["NewMeal"] = { profile_reference_id: me, name: "Three bananas", items };
  const { _id: meal_id } = answered(await client.POST("/v1/saved-meals", { body }));
  const params = { path: { meal_id } };
  const meal = answered(await client.GET("/v1/saved-meals/{meal_id}", { params }));
  check(meal.items[1]?.number_of_servings === 2 && !meal.items[1].missing, "a saved meal has its items");
  check(isKnown(meal.totals.macro_nutrients.energy_kcal), "a saved meal has totals");
  const logged = answered(await client.POST("/v1/saved-meals/{meal_id}/log", { params, body: { meal: "lunch" } }));
  check(logged.data.length === 2 && logged.skipped.length === 0, "a saved meal is logged as a whole");
}

async function makeFood(): Promise<void> {
  const body: Schemas["NewCustomFood"] = {
    profile_reference_id: me, food_name: "Granola", serving_description: "1 bowl", metric_serving_amount: 60,
    metric_serving_unit: "g", macro_nutrients: { energy_kcal: 280, our_own_in_mg: null }, vitamins: null,
  };
  const { _id: food_id } = answered(await client.POST("/v1/foods/custom", { body }));
  const food = answered(await client.GET("/v1/foods/{food_id}", { params: { path: { food_id } } }));
  check(food.macro_nutrients.energy_kcal === 280 && food.profile_reference_id === me, "a custom food is kept as sent");
  check(food.water_in_gm === undefined, "what nobody measured is absent");
}

async function seeErrors(): Promise<void> {
  const nowhere = { path: { food_id: "0".repeat(16) } };
  const { error, response } = await client.GET("/v1/foods/{food_id}", { params: nowhere });
  check(error?.code === "food_not_found" && error.status === response.status, "an error has a code");
  const query = { profile_reference_id: me, date: "2026-02-30", limit: 1000 };
  const wrong = await client.GET("/v1/diary-logs", { params: { query } });
  check(wrong.error?.code === "invalid_parameters", "bad parameters are refused");
  const params = (wrong.error.errors ?? []).map((fault) => fault.param);
  check(params.includes("date") && params.includes("limit"), "all faults are told at once");
  const stranger = createClient<paths>({ baseUrl: baseUrl ?? "" });
  check((await stranger.GET("/v1/profiles")).error?.code === "unauthenticated", "a key is needed");
}

async function leave(): Promise<void> {
  const params = { path: { reference_id: me } };
  check(answered(await client.DELETE("/v1/profiles/{reference_id}", { params })).deleted, "a profile is deleted");
  check((await client.GET("/v1/profiles/{reference_id}", { params })).error?.code === "profile_not_found", "it is gone");
}

// Never called: the compiler alone looks at it.
export async function whatMustNotCompile(food: Schemas["Food"], log: Schemas["Log"]): Promise<void> {
  // @ts-expect-error - The reference_id is required.
  await client.POST("/v1/profiles", { body: {} });
  // @ts-expect-error - So is the profile whose favorites they are.
  await client.GET("/v1/foods/favorites");
  // @ts-expect-error - There is no such meal.
  const body: Schemas["NewLog"] = { profile_reference_id: me, food_id: food._id, meal: "brunch" };
  // @ts-expect-error - A misspelt member would be refused.
  const misspelt: Schemas["NewLog"] = { profile_reference_id: me, food_id: food._id, number_of_serving: 1 };
  // @ts-expect-error - A value that nobody measured is absent.
  const kcal: number = food.macro_nutrients.energy_kcal;
  // @ts-expect-error - A group may not have been asked for.
  food.vitamins.vitamin_c_in_mg;
  // @ts-expect-error - A note may be null.
  log.note.length;
  // @ts-expect-error - There is no such path.
  await client.GET("/v1/food");
  void [body, misspelt, kcal];
}

const banana = await findBanana();
await createProfile();
await logInEveryWay(banana._id);
const logs = await walk();
check(new Set(logs.map((log) => log._id)).size === 5, "a walk with cursors finds every log once");
await sumUp(logs);
await keepFavorite(banana._id);
await saveMeal(banana._id);
await makeFood();
await seeErrors();
await leave();
console.log("All of it holds.");

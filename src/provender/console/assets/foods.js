// Searching the catalogue while somebody types. The address holds the search, so that it can be kept and sent.

import { $, replace } from "./dom.js";
import { get, Refused } from "./api.js";
import { showCall, text } from "./calls.js";
import { count } from "./format.js";
import { foodLine } from "./food_line.js";

const TYPING_MS = 120;
const PAGE = 20;

const form = $("#search");
const query = $("#query");
const results = $("#results");
const more = $("#more");
const state = $("#state");

let running = new AbortController();
let timer;
let last;
let adding = false;

const asked = new URLSearchParams(location.search);
query.value = asked.get("query") ?? "";
const type = $(`[name="food_type"][value="${asked.get("food_type") === "brand" ? "brand" : "generic"}"]`);
if (asked.get("food_type")) type.checked = true;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  search();
});
query.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(search, TYPING_MS);
});
form.addEventListener("change", (event) => event.target !== query && search());
query.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") move(event, results.firstElementChild);
});
results.addEventListener("keydown", (event) => {
  const item = event.target.closest("li");
  if (event.key === "ArrowDown") move(event, item?.nextElementSibling);
  if (event.key === "ArrowUp") move(event, item?.previousElementSibling, query);
});
more.addEventListener("click", async () => {
  if (adding) return;
  adding = true;
  try {
    const first = await load({ starting_after: last }, running.signal);
    if (first) $("a", first).focus();
  } finally {
    adding = false;
  }
});

if (query.value) search();
else welcome();
query.focus();

function move(event, item, otherwise) {
  const target = item ? $("a", item) : otherwise;
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function welcome() {
  replace(results);
  replace($("#calls"));
  more.hidden = true;
  state.textContent = "Type the name of a food. Unfinished words and small mistakes are fine.";
}

async function search() {
  clearTimeout(timer);
  running.abort();
  running = new AbortController();
  const chosen = parameters();
  history.replaceState(null, "", chosen.query ? `/?${new URLSearchParams(withoutEmpty(chosen))}` : "/");
  if (!chosen.query) return welcome();
  await load({}, running.signal);
}

function parameters() {
  const chosen = new FormData(form);
  return { query: chosen.get("query").trim(), food_type: chosen.get("food_type") };
}

/** Ask for a page and show it; the first item of a page that was added. */
async function load(cursor, signal) {
  const chosen = { ...parameters(), limit: PAGE };
  let page;
  try {
    page = await get("/v1/foods/search", { ...chosen, ...cursor }, { signal });
  } catch (error) {
    if (error.name === "AbortError") return null;
    if (!(error instanceof Refused)) throw error;
    state.textContent = error.message;
    return null;
  }
  const lines = page.data.map((food) => foodLine(food));
  if (cursor.starting_after) results.append(...lines);
  else replace(results, lines);
  last = page.data.at(-1)?._id;
  more.hidden = !page.has_more;
  state.textContent = describe(results.children.length, page.has_more, chosen.query);
  showCalls(chosen, cursor);
  return lines[0] ?? null;
}

function describe(shown, hasMore, words) {
  if (!shown) return `Nothing is called “${words}”. Try another word, or make a custom food for a profile.`;
  return hasMore ? `The first ${count(shown)} foods` : `${count(shown)} ${shown === 1 ? "food" : "foods"}`;
}

function showCalls(chosen, cursor) {
  const type = chosen.food_type ? `, food_type=${text(chosen.food_type)}` : "";
  const parameters = { ...chosen, ...cursor };
  const python = `for food in client.foods.search(${text(chosen.query)}${type}):\n    print(food.food_name)`;
  replace($("#calls"), showCall({ path: "/v1/foods/search", parameters, python }));
}

function withoutEmpty(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value));
}

// Finding a food while typing: a box with a list under it, by mouse, by touch and by arrow keys.

import { h, replace } from "./dom.js";
import { get, Refused } from "./api.js";
import { figure } from "./sums.js";
import { field, input } from "./forms.js";

const WAIT_MS = 150;
const SHOWN = 8;
let made = 0;

/** A field that calls `choose(food)` with what was picked out of the catalogue and the profile's own foods. */
export function foodFinder(profile, choose, label = "Food") {
  const list = h("ul", { role: "listbox", id: `foods-${++made}`, class: "found", "aria-label": "Foods", hidden: true });
  const status = h("p", { class: "hint", role: "status" });
  const box = input("food_id", { role: "combobox", "aria-expanded": "false", "aria-controls": list.id,
    "aria-autocomplete": "list", "aria-busy": "false", placeholder: "banana, oat drink …", spellcheck: "false" });
  let foods = [];
  let at = -1;
  let timer = null;
  let running = null;

  const close = () => {
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
    at = -1;
  };

  /** What was typed is looked for no more, or has been found: the list is that of these words. */
  const settle = () => {
    clearTimeout(timer);
    running?.abort();
    box.setAttribute("aria-busy", "false");
  };

  const pick = (food) => {
    settle();
    close();
    status.textContent = "";
    choose(food, box);
  };

  const move = (to) => {
    at = (to + foods.length) % foods.length;
    for (const [index, option] of [...list.children].entries()) option.setAttribute("aria-selected", index === at);
    list.children[at].scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", list.children[at].id);
  };

  const search = async () => {
    clearTimeout(timer);
    running?.abort();
    const query = box.value.trim();
    if (!query) {
      status.textContent = "";
      settle();
      return close();
    }
    running = new AbortController();
    const parameters = { query, profile_reference_id: profile.reference_id, limit: SHOWN };
    try {
      foods = (await get("/v1/foods/search", parameters, { signal: running.signal })).data;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      settle();
      close();
      status.textContent = error.message;
      return;
    }
    settle();
    close();
    replace(list, foods.map((food, index) => option(food, `${list.id}-${index}`, pick)));
    list.hidden = foods.length === 0;
    box.setAttribute("aria-expanded", String(foods.length > 0));
    status.textContent = foods.length ? `${foods.length} found. Use the arrow keys, and Enter.`
      : "Nothing has this name. Try fewer or other words, or make it under Custom foods.";
  };

  /** Enter takes what is marked, or the first: of these words, and not of those that were typed before them. */
  const take = async () => {
    if (at < 0 && isBusy()) await search();
    if (!list.hidden) pick(foods[Math.max(at, 0)]);
  };
  const isBusy = () => box.getAttribute("aria-busy") === "true";

  box.addEventListener("input", () => {
    settle();
    box.setAttribute("aria-busy", "true");
    timer = setTimeout(search, WAIT_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (isBusy() || !list.hidden)) take();
    else if (list.hidden) return;
    else if (event.key === "ArrowDown") move(at + 1);
    else if (event.key === "ArrowUp") move(at < 0 ? -1 : at - 1);
    else if (event.key === "Escape") {
      settle();
      close();
    } else return;
    event.preventDefault();
  });
  return h("div", { class: "finder" }, field(label, box), list, status);
}

function option(food, id, pick) {
  const about = [food.profile_reference_id && "custom food", food.serving_description].filter(Boolean).join(" · ");
  // Not by `click`: the box would lose the focus, and a phone its keyboard, before it comes.
  const take = (event) => {
    event.preventDefault();
    pick(food);
  };
  return h("li", { role: "option", id, "aria-selected": "false", onmousedown: take },
    h("span", {}, h("span", { class: "name" }, food.food_name),
      h("small", {}, food.brand_name && [h("bdi", {}, food.brand_name), " · "], about)),
    h("span", { class: "number" }, figure(food.macro_nutrients.energy_kcal, "kcal")));
}

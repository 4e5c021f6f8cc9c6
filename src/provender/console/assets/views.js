// What pages have in common: what a place says when it cannot be filled, pages by cursor, deleting with undo, and where
// the focus goes afterwards.

import { h, replace } from "./dom.js";
import { get, Refused, remove } from "./api.js";
import { showCall, text } from "./calls.js";
import { removeLater } from "./toasts.js";

/** Items that are deleted as far as people see, by the address that deletes them. */
const hidden = new Set();
let lastKey = null;

addEventListener("focusin", (event) => {
  const key = event.target.dataset?.key;
  if (key) lastKey = key;
});

/** This page's address with some parameters changed; null leaves one out. */
export function here(changes) {
  const parameters = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) parameters.delete(name);
    else parameters.set(name, value);
  }
  return `${location.pathname}?${parameters}`;
}

/** Where in a list this page is, as its address says. */
export function cursor() {
  const asked = new URLSearchParams(location.search);
  return { starting_after: asked.get("starting_after"), ending_before: asked.get("ending_before") };
}

/** The page of a list that the address asks for. Where its cursor has been deleted meanwhile, the list begins anew. */
export async function listed(path, parameters = {}) {
  try {
    return await get(path, { ...parameters, ...cursor() });
  } catch (error) {
    if (error.code !== "invalid_cursor") throw error;
    location.replace(here({ starting_after: null, ending_before: null }));
    return new Promise(() => {});
  }
}

/** Links to the pages before and after this one. */
export function pager(hasMore, items) {
  const { starting_after: after, ending_before: before } = cursor();
  const has = { previous: before ? hasMore : Boolean(after), next: before ? true : hasMore };
  if (!has.previous && !has.next) return null;
  const from = (name, item) => here({ starting_after: null, ending_before: null, ...(item && { [name]: item._id }) });
  return h("nav", { class: "row pager", "aria-label": "Pages" },
    has.previous && h("a", { class: "button", rel: "prev", href: from("ending_before", items[0]) }, "‹ Previous"),
    has.next && h("a", { class: "button next", rel: "next", href: from("starting_after", items.at(-1)) }, "Next ›"));
}

/** Fill a place. What the API refuses is said there, where "Loading…" would stand for ever. */
export async function fillOrSay(place, fill) {
  try {
    await fill();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    replace(place, h("p", { class: "error", role: "alert" }, error.message));
  }
}

/** Put new children into a place, and the focus where it was, or on the place's heading if that is gone. */
export function redraw(place, ...children) {
  const focused = document.activeElement;
  const lost = place.dataset.drawn && (place.contains(focused) || focused === document.body);
  replace(place, ...children);
  place.dataset.drawn = "yes";
  if (!lost) return;
  const same = lastKey && place.querySelector(`[data-key="${CSS.escape(lastKey)}"]`);
  (same || place.querySelector("h2"))?.focus({ preventScroll: true });
}

/** A heading that can be told to take the focus. */
export function heading(...children) {
  return h("h2", { tabindex: "-1" }, ...children);
}

/** Delete with undo: hidden now, deleted when nobody has undone it. */
export function removeItem(saying, path, parameters, draw) {
  hidden.add(path);
  draw();
  removeLater(saying, (options) => remove(path, parameters, options), () => {
    hidden.delete(path);
    draw();
  });
}

/** Whether nobody has deleted it here. */
export function isShown(path) {
  return !hidden.has(path);
}

/** It was added again. */
export function showAgain(path) {
  hidden.delete(path);
}

/** A button that has a key, by which it is found when its place is drawn anew. `label` says more than its words. */
export function button(words, { key, label = null, kind = "", press }) {
  // The second press of a double click may hit what has moved up meanwhile, or do the same again.
  const once = (event) => event.detail < 2 && press();
  return h("button", { type: "button", class: kind, "data-key": key, "aria-label": label, onclick: once }, words);
}

/** A button of a row: people who do not see the row are told its name. */
export function rowButton(words, id, name, press, kind = "small") {
  return button(words, { key: `${words} ${id}`, label: `${words} ${name}`, kind, press });
}

/** The call for the page of a list that is on the screen. */
export function listCall(path, method, profile, parameters = {}) {
  const asked = { ...parameters, ...cursor() };
  return showCall({ path, parameters: { profile_reference_id: profile.reference_id, ...asked },
    python: python(method, [profile.reference_id], asked) });
}

/** A line of the Python client: `client.diary.list("alice", date="2026-11-15")`. */
export function python(method, first, rest = {}) {
  const named = Object.entries(rest).filter(([, value]) => value).map(([name, value]) => `${name}=${text(value)}`);
  return `client.${method}(${[...first.map(text), ...named].join(", ")})`;
}

export function empty(...children) {
  return h("p", { class: "empty" }, ...children);
}

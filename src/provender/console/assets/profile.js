// One profile: its tabs are addresses of their own, so that the back button, bookmarks and sent links work.

import { $, h, replace } from "./dom.js";
import { get, segment } from "./api.js";
import { showCustomFoods } from "./custom_foods.js";
import { showDay } from "./diary_day.js";
import { monday, showWeeks } from "./diary_week.js";
import { showMost, showRecently } from "./eaten.js";
import { showFavorites } from "./favorites.js";
import { later, today } from "./format.js";
import { input } from "./forms.js";
import { rememberProfile } from "./last_profile.js";
import { showSavedMeals } from "./saved_meals.js";
import { here } from "./views.js";
import { zoneOf } from "./zones.js";

const TABS = {
  diary: { title: "Diary", show: showDiary },
  favorites: { title: "Favorites", show: showFavorites },
  "recently-eaten": { title: "Recently eaten", show: showRecently },
  "most-eaten": { title: "Most eaten", show: showMost },
  "saved-meals": { title: "Saved meals", show: showSavedMeals },
  "custom-foods": { title: "Custom foods", show: showCustomFoods },
};
const VIEWS = { day: "Day", week: "Week", weeks: "4 weeks" };

const asked = new URLSearchParams(location.search);
const place = $("#profile");

function address(parameters) {
  return `/profile?${new URLSearchParams({ reference_id: asked.get("reference_id"), ...parameters })}`;
}

function tabs(current) {
  return h("nav", { class: "tabs", "aria-label": "Of this profile" }, Object.entries(TABS).map(([name, { title }]) =>
    h("a", { href: address({ tab: name }), "aria-current": name === current && "page" }, title)));
}

async function showDiary(content, profile) {
  const now = today(profile.zone);
  const date = isDay(asked.get("date")) ? asked.get("date") : now;
  const view = asked.get("view") in VIEWS ? asked.get("view") : "day";
  const days = { day: 1, week: 7, weeks: 28 }[view];
  const at = (when, how = view) => address({ tab: "diary", ...(how !== "day" && { view: how }), date: when });
  const picker = input("date", { type: "date", value: date, "aria-label": "Day", required: true,
    onchange: () => isDay(picker.value) && location.assign(at(picker.value)) });
  const step = (to, rel, words, sign) => h("a", { class: "button", href: at(to), rel,
    "aria-label": `${words} ${VIEWS[view].toLowerCase()}` }, sign);
  const isNow = view === "day" ? date === now : monday(date) === monday(now);
  const under = h("div", {}, h("p", { class: "loading" }, "Loading…"));
  replace(content, h("div", { class: "row when" },
    step(later(date, -days), "prev", "Previous", "‹"), picker, step(later(date, days), "next", "Next", "›"),
    !isNow && h("a", { class: "button", href: at(now) }, "Today"),
    h("nav", { class: "views", "aria-label": "How many days" }, Object.entries(VIEWS).map(([name, title]) =>
      h("a", { class: "button", href: at(date, name), "aria-current": name === view && "page" }, title)))), under);
  const foodId = asked.get("add");
  // Whoever comes back to this page has added it, or did not want to.
  if (foodId) history.replaceState(null, "", here({ add: null }));
  await (view === "day" ? showDay(under, profile, date, foodId) : showWeeks(under, profile, date, days / 7));
}

/** An address may have been typed, and a date is picked part by part. */
function isDay(text) {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) && later(text, 0) === text;
}

function header(profile) {
  return h("header", { class: "profile" }, h("p", { class: "trail" }, h("a", { href: "/profiles" }, "Profiles")),
    h("h1", {}, profile.reference_id),
    h("p", { class: "row hint" },
      h("span", { class: profile.is_active ? "badge" : "badge off" },
        profile.is_active ? "Active this month" : "Not active this month"),
      h("span", {}, profile.timezone ?? "UTC, for no time zone is set")));
}

async function start() {
  const reference = asked.get("reference_id") ?? "";
  const tab = asked.get("tab") in TABS ? asked.get("tab") : "diary";
  try {
    const found = await get(`/v1/profiles/${segment(reference)}`);
    const profile = { ...found, zone: zoneOf(found) };
    rememberProfile(profile.reference_id);
    document.title = `${profile.reference_id} · ${TABS[tab].title} · Provender`;
    const content = h("div", {}, h("p", { class: "loading" }, "Loading…"));
    replace(place, header(profile), tabs(tab), content);
    $(".tabs [aria-current]").scrollIntoView({ block: "nearest", inline: "center" });
    await TABS[tab].show(content, profile);
  } catch (error) {
    if (error.status === undefined) throw error;
    const words = error.status === 404 ? `There is no profile “${reference}”.` : error.message;
    replace(place, h("h1", {}, "Profile"), h("p", { class: "empty", role: "alert" }, words, " ",
      h("a", { href: "/profiles" }, "See all profiles.")));
  }
}

start();

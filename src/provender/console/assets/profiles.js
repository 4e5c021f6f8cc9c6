// All profiles of the application: make, find, change, delete, export and import them.

import { $, h, replace } from "./dom.js";
import { get, may, segment } from "./api.js";
import { showCall } from "./calls.js";
import { details } from "./details.js";
import { date } from "./format.js";
import { input } from "./forms.js";
import { changeProfile, createProfile, deleteProfile, importProfile } from "./profile_dialogs.js";
import { button, cursor, empty, fillOrSay, heading, isShown, listed, pager, python, redraw, rowButton } from "./views.js";

const PROFILES = "/v1/profiles";
const place = $("#profiles");
let page = { data: [], has_more: false };
// The list itself has neither time zone nor time of creation.
const about = details((profile) => `${profile.timezone ?? "UTC"} · created ${date(profile.created_at)}`);

const profileLink = (reference) => `/profile?${new URLSearchParams({ reference_id: reference })}`;
const address = (profile) => `${PROFILES}/${segment(profile.reference_id)}`;

async function load() {
  page = await listed(PROFILES);
  about.forget();
  draw();
}

function draw() {
  const shown = page.data.filter((profile) => isShown(address(profile)));
  redraw(place, heading("All profiles"), h("p", { class: "hint" }, "Newest first."), shown.length === 0
    ? empty("No profiles yet. ", may("write") && "Create one for each of your users. Their diaries belong to it.")
    : h("ul", { class: "list card" }, shown.map(row)), pager(page.has_more, shown),
  showCall({ path: PROFILES, parameters: cursor(), python: python("profiles.list", [], cursor()) }));
}

function row(profile) {
  const { reference_id: reference } = profile;
  const link = h("a", { class: "name", href: profileLink(reference) }, reference);
  return h("li", { class: "entry" },
    h("span", { class: "what" }, link, about.fill(h("small", {}, "…"), address(profile))),
    h("span", { class: profile.is_active ? "badge" : "badge off" }, profile.is_active ? "Active" : "Not active"),
    h("span", { class: "acts" },
      h("a", { class: "button small", href: `${address(profile)}/export`, download: `${reference}.json`,
        "aria-label": `Export ${reference}` }, "Export"),
      may("write") && [
        rowButton("Change", profile._id, reference, async () => changeProfile(await get(address(profile)), load)),
        rowButton("Delete", profile._id, reference, () => deleteProfile(profile, address(profile), draw))]));
}

/** There is no search of profiles: a reference_id is known, or it is in the list. */
async function find(event) {
  event.preventDefault();
  const box = $("#reference_id");
  const fault = $("#find-fault");
  replace(fault);
  box.removeAttribute("aria-invalid");
  try {
    if (box.value) location.assign(profileLink((await get(`${PROFILES}/${segment(box.value)}`)).reference_id));
  } catch (error) {
    if (error.status !== 404) throw error;
    fault.textContent = `There is no profile “${box.value}”.`;
    box.setAttribute("aria-invalid", "true");
    box.focus();
  }
}

function tools() {
  const box = input("reference_id", { id: "reference_id", "aria-describedby": "find-fault",
    placeholder: "Its exact reference_id" });
  return h("div", { class: "row apart tools" },
    h("form", { class: "find", role: "search", onsubmit: find }, h("label", { for: "reference_id" }, "Find a profile"),
      h("div", { class: "row" }, box, h("button", {}, "Open")),
      h("p", { class: "error", id: "find-fault", role: "alert" })),
    may("write") && h("div", { class: "row" },
      button("New profile", { key: "new", kind: "primary", press: () => createProfile(load) }),
      button("Import", { key: "import", press: () => importProfile(load) })));
}

replace($("#tools"), tools());
fillOrSay(place, load);

// The keys of one's own application, for a key that may manage them: create, revoke, and when each was last used.

import { $, h, replace } from "./dom.js";
import { all, may, post, remove, segment } from "./api.js";
import { copy, showCall } from "./calls.js";
import { showDialog } from "./dialogs.js";
import { day, moment } from "./format.js";
import { ask, field, input, select, typed } from "./forms.js";
import { table } from "./tables.js";
import { removeLater } from "./toasts.js";
import { fillOrSay } from "./views.js";

const PAGE = "/v1/keys";
const SCOPES = [["read", "read"], ["write", "read and write"], ["admin", "read, write, and manage keys"]];
const hidden = new Set();
let keys = [];

async function load() {
  keys = await all(PAGE);
  show();
}

function show() {
  const shown = keys.filter((key) => !hidden.has(key._id));
  replace($("#keys"), h("div", { class: "card" }, table("Keys of this application",
    ["Key", "May", "State", "Last used", "Created", "Requests a minute", ""],
    shown.map((key) => [[h("code", {}, `${key._id}…`), key.is_own && h("span", { class: "badge" }, "yours")],
      key.scope, state(key), key.last_used_on ? day(key.last_used_on, { dateStyle: "medium" }) : "never", moment(key.created_at),
      limit(key), key.works && !key.is_own && h("button", { type: "button", class: "danger small",
        "aria-label": `Revoke ${key._id}`, onclick: () => revoke(key) }, "Revoke")]))));
}

function state(key) {
  if (!key.works) return h("span", { class: "badge off" }, key.revoked_at ? `revoked ${moment(key.revoked_at)}` : "revoked");
  return key.revoked_at ? `works until ${moment(key.revoked_at)}` : h("span", { class: "badge" }, "works");
}

function limit(key) {
  if (key.rate_limit === null) return "as the server is set";
  return key.rate_limit === 0 ? "any number" : String(key.rate_limit);
}

function revoke(key) {
  hidden.add(key._id);
  show();
  $("#create").focus();
  const back = () => {
    hidden.delete(key._id);
    show();
  };
  removeLater(`${key._id}… is revoked.`, async (options) => {
    await remove(`${PAGE}/${segment(key._id)}`, {}, options);
    if (options.keepalive) return;
    hidden.delete(key._id);
    await load();
  }, back);
}

$("#create").addEventListener("click", async () => {
  const made = await ask({
    title: "Create a key",
    action: "Create",
    content: [field("It may", select("scope", SCOPES, "write")),
      field("At most so many requests a minute (optional)", input("rate_limit", { inputmode: "numeric" }),
        { hint: "Empty: as the server is set. 0: any number." })],
    send({ elements: { scope, rate_limit: limit } }) {
      return post(PAGE, { scope: scope.value, ...(limit.value.trim() && { rate_limit: typed(limit.value) }) });
    },
  });
  if (!made) return;
  $("#the-key").textContent = made.key;
  showDialog($("#created"));
  await load();
});
$("#copy").addEventListener("click", async () => {
  $("#copy").textContent = await copy($("#the-key"));
});
// The second press of a double click on "Create" must not close what is shown once.
$("#done").addEventListener("click", (event) => event.detail < 2 && $("#created").close());
$("#created").addEventListener("close", () => {
  $("#the-key").textContent = "";
  $("#copy").textContent = "Copy";
});

if (may("admin")) {
  $("#create").hidden = false;
  replace($("#calls"), showCall({ path: PAGE, python: "for key in client.keys.list():\n    print(key.id, key.scope, key.last_used_on)" }));
  await fillOrSay($("#keys"), load);
} else {
  replace($("#keys"), h("p", { class: "notice" }, "Your key may not manage keys. Sign in with a key of scope ",
    h("strong", {}, "admin"), "; ", h("code", {}, "provender keys create --application NAME --scope admin"), " on the server makes one."));
}

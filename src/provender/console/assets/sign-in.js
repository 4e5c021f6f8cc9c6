// Signing in: the key goes to the server once, in a header, and comes back as a cookie that this page cannot read.

import { $ } from "./dom.js";

const asked = new URLSearchParams(location.search);
const key = $("#key");
const fault = $("#key-error");

$("#ended").hidden = !asked.has("ended");
key.focus();

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  fault.textContent = "";
  const answer = await fetch("/session", {
    method: "POST",
    headers: { authorization: `Bearer ${key.value.trim()}` },
  }).catch(() => null);
  if (answer?.status === 204) {
    location.assign(wanted());
    return;
  }
  const problem = await answer?.json().catch(() => null);
  fault.textContent = problem?.detail ?? "The server cannot be reached. Is it running?";
  key.setAttribute("aria-invalid", "true");
  key.select();
});

/** Where somebody wanted to go: a page of this server and nothing else. */
function wanted() {
  const next = asked.get("next") ?? "/";
  // With the origin before it, for a browser shortens `/.//elsewhere` to `//elsewhere`, which alone is another site.
  return location.origin + (/^\/(?![/\\])/.test(next) ? next : "/");
}

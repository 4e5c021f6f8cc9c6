// Signing in, and going on to where somebody wanted to be.

import { $ } from "./dom.js";
import { signIn } from "./api.js";

const asked = new URLSearchParams(location.search);
const key = $("#key");
const fault = $("#key-error");

$("#ended").hidden = !asked.has("ended");
key.focus();

$("#sign-in").addEventListener("submit", async (event) => {
  event.preventDefault();
  fault.textContent = "";
  try {
    await signIn(key.value.trim());
    location.assign(wanted());
  } catch (error) {
    fault.textContent = error.message;
    key.setAttribute("aria-invalid", "true");
    key.select();
  }
});

/** Where somebody wanted to go: a page of this server and nothing else. */
function wanted() {
  const next = asked.get("next") ?? "/";
  // With the origin before it, for a browser shortens `/.//elsewhere` to `//elsewhere`, which alone is another site.
  return location.origin + (/^\/(?![/\\])/.test(next) ? next : "/");
}

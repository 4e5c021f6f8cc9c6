// What every page has: signing out, and a word when something went wrong that nobody expected.

import { $ } from "./dom.js";
import { Refused, keepSession, remove } from "./api.js";
import { renew, signInAgain } from "./session.js";
import { complain, settle } from "./toasts.js";

keepSession({ renew, signInAgain });

$("#sign-out").addEventListener("click", async () => {
  // Deletions that wait are done while there is a session; and what is refused is told, so that nobody leaves in the
  // belief to be signed out.
  if (!(await settle())) return;
  await remove("/session");
  location.assign("/sign-in");
});

addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
  else if (event.reason instanceof Refused) {
    complain(event.reason);
    event.preventDefault();
  }
});

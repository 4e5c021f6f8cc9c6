// What every page has: signing out, and a word when something went wrong that nobody expected.

import { $ } from "./dom.js";
import { Refused, keepSession, remove } from "./api.js";
import { renew, signInAgain } from "./session.js";
import { complain } from "./toasts.js";

keepSession({ renew, signInAgain });

$("#sign-out").addEventListener("click", async () => {
  // What is refused is told: nobody shall leave in the belief to be signed out.
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

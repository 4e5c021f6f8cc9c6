// What every page has: signing out, and a word when something went wrong that nobody expected.

import { $ } from "./dom.js";
import { Refused } from "./api.js";
import { complain } from "./toasts.js";

$("#sign-out").addEventListener("click", async () => {
  const token = $('meta[name="form-token"]').content;
  await fetch("/session", { method: "DELETE", headers: { "x-form-token": token } });
  location.assign("/sign-in");
});

addEventListener("unhandledrejection", (event) => {
  if (event.reason?.name === "AbortError") event.preventDefault();
  else if (event.reason instanceof Refused) {
    complain(event.reason);
    event.preventDefault();
  }
});

// What a list does not have of its items: each asks for it when it comes into view.

import { get, Refused } from "./api.js";
import { h, replace } from "./dom.js";

/** @param {(whole: object) => any} show what a place says of an item */
export function details(show) {
  const asked = new Map();
  // What was known stays on the screen until there is something newer.
  const known = new Map();
  return {
    /** The list is another one now. */
    forget: () => asked.clear(),
    /** Fill a place with what the API has at an address, when somebody sees it. */
    fill(place, path) {
      if (known.has(path)) replace(place, show(known.get(path)));
      whenSeen(place, async () => {
        if (!asked.has(path)) asked.set(path, get(path));
        try {
          known.set(path, await asked.get(path));
          replace(place, show(known.get(path)));
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          asked.delete(path);
          replace(place, h("span", { class: "error" }, error.message));
        }
      });
      return place;
    },
  };
}

function whenSeen(element, act) {
  new IntersectionObserver((sights, watch) => {
    if (!sights.some((sight) => sight.isIntersecting)) return;
    watch.disconnect();
    act();
  }).observe(element);
}

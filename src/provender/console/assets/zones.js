// Time zones: those that this browser knows, as suggestions, and the one that a profile's days begin in.

import { h } from "./dom.js";
import { field, input } from "./forms.js";

/** The profile's time zone, or UTC, as the API has it; a name that this browser is too old for is UTC, too. */
export function zoneOf(profile) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: profile.timezone ?? "UTC" }).resolvedOptions().timeZone;
  } catch {
    return "UTC";
  }
}

export function zoneField(value) {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  const box = input("timezone", { value: value ?? "", list: "zones", placeholder: "Europe/Berlin" });
  return [field("Time zone", box, { hint: "It decides when a day and a month begin. Left empty, that is UTC." }),
    h("datalist", { id: "zones" }, known.map((zone) => h("option", { value: zone })))];
}

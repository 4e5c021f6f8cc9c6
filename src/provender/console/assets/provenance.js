// Where a food is from: its source, the release, and when it came into the catalogue.

import { h, replace } from "./dom.js";
import { get, segment } from "./api.js";
import { moment } from "./format.js";
import { fillOrSay } from "./views.js";

export function provenance(food) {
  const place = h("div", {}, h("p", { class: "loading" }, "Loading…"));
  fill(place, food);
  return place;
}

async function fill(place, food) {
  if (food.profile_reference_id !== null) {
    replace(place, h("p", {}, `Made by your application for the profile ${food.profile_reference_id}, ${moment(food.created_at)}; `,
      `last changed ${moment(food.updated_at)}.`));
    return;
  }
  await fillOrSay(place, async () => {
    const origin = await get(`/v1/foods/${segment(food._id)}/provenance`);
    replace(place, h("dl", { class: "pairs" },
      pair("Source", origin.url ? h("a", { href: origin.url, rel: "noreferrer" }, origin.source_name) : origin.source_name),
      pair("Its key there", origin.source_key), pair("Dataset", origin.dataset), pair("Release", origin.release),
      pair("Imported", origin.imported_at && moment(origin.imported_at)), pair("License", origin.license),
      pair("In search", origin.is_listed === false && "no: its source does not have it any more"),
      pair("Worked out", origin.calculated?.length > 0 && origin.calculated.join(", "))));
  });
}

function pair(name, value) {
  return value ? [h("dt", {}, name), h("dd", {}, value)] : null;
}

// What one's own application asks for, how often it is refused, and how long it waits.

import { $, h, replace, svg } from "./dom.js";
import { get } from "./api.js";
import { showCall, text } from "./calls.js";
import { amount, count, day, later, moment, share, today } from "./format.js";
import { figures, table } from "./tables.js";
import { fillOrSay } from "./views.js";

const EMPTY = { requests: 0, client_errors: 0, server_errors: 0, p50_ms: null, p95_ms: null, p99_ms: null };

const range = $("#range");
const asked = new URLSearchParams(location.search);
if ([...range.options].some((option) => option.value === asked.get("days"))) range.value = asked.get("days");
range.addEventListener("change", () => {
  history.replaceState(null, "", `/usage?days=${range.value}`);
  show();
});

async function load() {
  const to = today("UTC");
  const by = range.value === "1" ? "hour" : "day";
  const from = by === "hour" ? later(to, -1) : later(to, 1 - Number(range.value));
  const parameters = { from, to, by };
  const usage = await get("/v1/usage", parameters);
  const call = showCall({ path: "/v1/usage", parameters,
    python: `usage = client.usage.retrieve(from_=${text(from)}, to=${text(to)}, by=${text(by)})` });
  const { total } = usage;
  if (!total.requests) {
    replace($("#usage"), h("p", { class: "empty" }, "No requests yet. What your application asks for is shown here after a few seconds."), call);
    return;
  }
  const slots = by === "hour" ? hours(usage.data, from) : days(usage.data, from, to);
  replace($("#usage"),
    figures([["Requests", count(total.requests)], ["Refused (4xx)", errors(total.client_errors, total)],
      ["Failed (5xx)", errors(total.server_errors, total)], ["Half within", wait(total.p50_ms)], ["95 % within", wait(total.p95_ms)],
      ["99 % within", wait(total.p99_ms)]]),
    h("section", { class: "card" }, h("h2", {}, "Requests"), columns(slots),
      h("h3", {}, "Time to answer"), waits(slots),
      h("details", {}, h("summary", {}, "The figures"), table("Requests by time",
        [by === "hour" ? "Hour" : "Day", { number: "Requests" }, { number: "4xx" }, { number: "5xx" }, { number: "p50" }, { number: "p95" }, { number: "p99" }],
        slots.filter((slot) => slot.requests).map((slot) => [slot.name, ...cells(slot)])))),
    h("section", { class: "card" }, h("h2", {}, "By endpoint"), table("Requests by endpoint",
      ["Endpoint", { number: "Requests" }, { number: "4xx" }, { number: "5xx" }, { number: "p50" }, { number: "p95" }, { number: "p99" }],
      usage.endpoints.map((each) => [h("code", {}, each.endpoint), ...cells(each)])),
      h("p", { class: "hint" }, "Times are measured in the server, from a request's arrival to its answer, and are read from buckets: ",
        "they are estimates. The newest seconds may be missing.")),
    call);
}

function days(data, from, to) {
  const known = new Map(data.map((each) => [each.date, each]));
  const slots = [];
  for (let date = from; date <= to; date = later(date, 1)) slots.push({ ...EMPTY, ...known.get(date), name: day(date) });
  return slots;
}

/** Those of the days that were asked for, of which the figures above are the sum, until now. */
function hours(data, from) {
  const hour = 3_600_000;
  const known = new Map(data.map((each) => [each.hour, each]));
  const first = Date.parse(`${from}T00:00:00Z`);
  return Array.from({ length: Math.ceil((Date.now() - first) / hour) }, (_, place) => first + place * hour)
    .map((at) => ({ ...EMPTY, ...known.get(at), name: moment(at) }));
}

function cells(figures) {
  return [count(figures.requests), count(figures.client_errors), count(figures.server_errors), wait(figures.p50_ms), wait(figures.p95_ms),
    wait(figures.p99_ms)];
}

function errors(number, total) {
  return number ? [count(number), h("small", {}, ` ${share(number / total.requests)}`)] : "0";
}

function wait(milliseconds) {
  return milliseconds === null ? "—" : `${amount(milliseconds)} ms`;
}

/** A column for each slot: what was answered well, and what was not. */
function columns(slots) {
  const most = Math.max(...slots.map((slot) => slot.requests), 1);
  const width = 100 / slots.length;
  const bars = slots.map((slot, place) => {
    const bad = slot.client_errors + slot.server_errors;
    const [tall, wrong] = [slot.requests, bad].map((number) => (number / most) * 95);
    const at = { x: place * width + width * 0.1, width: width * 0.8 };
    return svg("g", {}, svg("title", {}, `${slot.name}: ${count(slot.requests)} requests, ${count(bad)} refused or failed`),
      svg("rect", { ...at, y: 100 - tall, height: tall - wrong, class: "good" }),
      svg("rect", { ...at, y: 100 - wrong, height: wrong, class: "bad" }));
  });
  return h("div", {}, h("p", { class: "hint" }, `At most ${count(most)}; red is refused or failed.`),
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "column-chart", role: "img",
      "aria-label": `Requests from ${slots[0].name} to ${slots.at(-1).name}, at most ${count(most)}` },
      svg("line", { x1: 0, x2: 100, y1: 100, y2: 100, class: "axis" }), bars),
    h("div", { class: "axis-labels", "aria-hidden": "true" }, h("span", {}, slots[0].name), h("span", {}, slots.at(-1).name)));
}

/** How long all but one in twenty had to wait, as a line through the slots that had requests. */
function waits(slots) {
  const known = slots.map((slot, place) => [place, slot.p95_ms]).filter(([, wait]) => wait !== null);
  const longest = Math.max(...known.map(([, wait]) => wait));
  const width = 100 / slots.length;
  const x = (place) => (place + 0.5) * width;
  const points = known.map(([place, value]) => `${x(place)},${100 - (value / longest) * 95}`);
  // A single slot would be a point, which no line shows.
  if (known.length === 1) points.unshift(`${x(known[0][0]) - width / 2},5`);
  return h("div", {}, h("p", { class: "hint" }, `95 % of the requests were answered within this; at most ${wait(longest)}.`),
    svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", class: "column-chart", role: "img",
      "aria-label": `The time within which 95 % were answered, at most ${wait(longest)}` },
      svg("line", { x1: 0, x2: 100, y1: 100, y2: 100, class: "axis" }),
      svg("polyline", { points: points.join(" "), class: "late" })));
}

function show() {
  return fillOrSay($("#usage"), load);
}

await show();

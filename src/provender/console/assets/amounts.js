// How much of a food: so many of one of its servings, or a weight, with what that comes to while somebody types.

import { h, replace } from "./dom.js";
import { amount, servingText } from "./format.js";
import { field, input, select, typed } from "./forms.js";
import { ENERGY, figure, macroLine } from "./sums.js";

const WEIGHT = "weight";
const UNITS = { g: "Weight in g", ml: "Volume in ml", oz: "Weight in oz" };

/** What a log has of its food: "0.5 × 1 cup, mashed (225 g)", or "177 g" where that was weighed. */
export function eatenText(log) {
  if (wasWeighed(log)) return `${amount(log.metric_amount)} ${log.metric_serving_unit}`;
  return `${amount(log.number_of_servings)} × ${servingText(log)}`;
}

/** A log does not tell how its amount was sent; a number of servings that nobody types was worked out of a weight. */
function wasWeighed(log) {
  return Math.abs(log.number_of_servings * 1000 - Math.round(log.number_of_servings * 1000)) > 1e-6;
}

/** The amount of a log as it is sent. */
export function sentAmount(log) {
  return wasWeighed(log) ? { metric_amount: log.metric_amount } : { number_of_servings: log.number_of_servings };
}

/**
 * The fields for how much of a food. `values()` gives what is sent to the API.
 * @param {object} thing a food with its `servings`, or a log
 */
export function amountFields(thing, log = null) {
  const servings = log ? [] : otherServings(thing);
  const own = [["", servingText(thing)], ...servings.map((serving) => [serving._id, servingText(serving)])];
  const way = select("serving_id", [...own, [WEIGHT, UNITS[thing.metric_serving_unit]]]);
  const number = input("number_of_servings", { inputmode: "decimal", value: "1", required: true,
    onfocus: () => number.select() });
  if (log) {
    const weighed = wasWeighed(log);
    way.value = weighed ? WEIGHT : "";
    number.value = String(weighed ? log.metric_amount : log.number_of_servings);
  }
  const preview = h("div", { class: "preview", role: "status" });
  const base = log ? log.metric_amount : thing.metric_serving_amount;

  const metric = () => {
    const each = servings.find((serving) => serving._id === way.value)?.metric_serving_amount;
    return Number(typed(number.value)) * (way.value === WEIGHT ? 1 : (each ?? thing.metric_serving_amount));
  };
  const draw = () => {
    const share = metric() / base;
    const macros = Object.fromEntries(
      Object.entries(thing.macro_nutrients).map(([name, value]) => [name, value * share]));
    replace(preview, Number.isFinite(share) && share > 0
      && [h("strong", {}, figure(macros[ENERGY], "kcal")), macroLine(macros)]);
  };
  way.addEventListener("change", () => {
    const weight = way.value === WEIGHT;
    number.name = weight ? "metric_amount" : "number_of_servings";
    place.dataset.faultOf = number.name;
    number.value = weight ? String(thing.metric_serving_amount) : "1";
    draw();
  });
  number.addEventListener("input", draw);
  const numberField = field("Amount", number);
  const place = numberField.querySelector("[data-fault-of]");
  if (way.value === WEIGHT) place.dataset.faultOf = number.name = "metric_amount";
  draw();
  return {
    fields: [h("div", { class: "fields much" }, numberField, field("Of", way)), preview],
    number,
    values() {
      const sent = { [number.name]: typed(number.value) };
      if (way.value && way.value !== WEIGHT) sent.serving_id = way.value;
      return sent;
    },
  };
}

function otherServings(food) {
  return (food.servings ?? []).filter((serving) => serving.serving_description !== food.serving_description
    || serving.metric_serving_amount !== food.metric_serving_amount);
}

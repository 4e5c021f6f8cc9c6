// Numbers, amounts and days as people of this browser's language write them.

const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const small = new Intl.NumberFormat(undefined, { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });

/** An amount of a nutrient: small ones keep their digits. */
export function amount(value) {
  return value !== 0 && Math.abs(value) < 10 ? small.format(value) : number.format(value);
}

/** "1 cup, mashed (225 g)"; many descriptions say their weight already. */
export function servingText(thing) {
  const metric = `${amount(thing.metric_serving_amount)} ${thing.metric_serving_unit}`;
  const description = thing.serving_description;
  return /\d\s*(g|ml|oz)\b/i.test(description) ? description : `${description} (${metric})`;
}

export const count = (value) => whole.format(value);
export const share = (value) => percent.format(value);

/** A day such as "2026-11-15": it has no time zone, and must not be moved by one. */
export function day(text, style = { weekday: "short", day: "numeric", month: "short" }) {
  return new Intl.DateTimeFormat(undefined, { ...style, timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));
}

/** A moment of the API, in milliseconds. */
export function moment(milliseconds) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(milliseconds);
}

/** The day of such a moment, here. */
export function date(milliseconds) {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(milliseconds);
}

/** "2026-11-15" and so many days later. */
export function later(text, days) {
  const date = new Date(`${text}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Today as a time zone has it. */
export function today(timeZone = undefined) {
  return new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format();
}

// Looking up a barcode in any form, typed or scanned. The API takes GTIN-13 alone; the conversion is shown.

import { $, h, replace } from "./dom.js";
import { get, Refused } from "./api.js";
import { showCall, text } from "./calls.js";
import { foodLine } from "./food_line.js";
import { gtin13s, readAll } from "./gtin.js";
import { canScan, scan } from "./scanning.js";

const form = $("#look-up");
const code = $("#code");
const fault = $("#fault");
let stopScanning = null;

const asked = new URLSearchParams(location.search);
code.value = asked.get("code") ?? "";
$("#profile").value = asked.get("profile") ?? "";

code.addEventListener("input", convert);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  lookUp();
});
convert();
if (code.value) lookUp();
code.focus();

if (await canScan()) {
  $("#scan").hidden = false;
  $("#scan").addEventListener("click", startScanning);
  $("#stop").addEventListener("click", endScanning);
}

function convert() {
  const readings = readAll(code.value);
  const rows = readings.map((reading) => h("tr", {}, h("th", { scope: "row" }, reading.kind),
    h("td", {}, steps(reading)), h("td", {}, verdict(reading))));
  replace($("#conversion"), readings.length > 0 && h("div", { class: "card scroll" }, h("table", {},
    h("caption", { class: "sr-only" }, "How this code can be read"),
    h("thead", {}, h("tr", {}, ["Read as", "GTIN-13", "Check digit"].map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, rows))));
}

function steps(reading) {
  const all = [reading.digits, reading.upcA, reading.gtin13].filter(Boolean);
  const shown = all.filter((each, place) => each !== all[place - 1]);
  if (!reading.gtin13 && reading.check !== "wrong") return [h("code", {}, reading.digits), " numbers a case; no GTIN-13 stands for it"];
  return shown.flatMap((each, place) => [place > 0 && " → ", h("code", {}, each)]);
}

function verdict(reading) {
  if (reading.check === "wrong") return h("span", { class: "error" }, `wrong: it would be ${reading.right}`);
  return reading.check === "absent" ? `left out: it is ${reading.right}` : "right";
}

async function lookUp() {
  fault.textContent = "";
  replace($("#found"));
  replace($("#calls"));
  const profile = $("#profile").value.trim();
  history.replaceState(null, "", `/barcode?${new URLSearchParams({ code: code.value, ...(profile && { profile }) })}`);
  const barcodes = gtin13s(code.value);
  if (!barcodes.length) {
    fault.textContent = explain(code.value);
    code.focus();
    return;
  }
  const parameters = (barcode) => ({ barcode, profile_reference_id: profile });
  const found = [];
  for (const barcode of barcodes) {
    try {
      found.push(foodLine(await get("/v1/foods/barcode", parameters(barcode))));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      fault.textContent = error.code === "food_not_found" ? `No food has the barcode ${barcodes.join(" or ")}.` : error.message;
    }
  }
  if (found.length) fault.textContent = "";
  replace($("#found"), found);
  const own = profile ? `, profile_reference_id=${text(profile)}` : "";
  replace($("#calls"), showCall({ path: "/v1/foods/barcode", parameters: parameters(barcodes[0]),
    python: `food = client.foods.by_barcode(${text(code.value)}${own})` }));
}

function explain(given) {
  const digits = given.replaceAll(/[ -]/g, "");
  if (!digits) return "Type a barcode first.";
  if (!/^[0-9]+$/.test(digits)) return "A barcode has digits only.";
  if (digits.length < 6 || digits.length > 14) return `A barcode has 6 to 14 digits; this has ${digits.length}.`;
  if (readAll(given).some((reading) => reading.check !== "wrong")) return "This numbers a case of several pieces. Use the code of a single piece.";
  return "The check digit is wrong, so a digit was misread. Compare the code with the package.";
}

async function startScanning() {
  fault.textContent = "";
  $("#camera").hidden = false;
  try {
    stopScanning = await scan($("#video"), (found) => {
      endScanning();
      code.value = found;
      convert();
      lookUp();
    });
  } catch {
    endScanning();
    fault.textContent = "The camera cannot be used. Allow it in the browser, or type the code.";
  }
}

function endScanning() {
  stopScanning?.();
  stopScanning = null;
  $("#camera").hidden = true;
}

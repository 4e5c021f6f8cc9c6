// Barcodes: what kind a code is, whether its check digit is right, and which GTIN-13 it stands for. The rules are those
// of the GS1 General Specifications, as the server and the Python client have them; a test compares this with them.

// What a number of digits can be, the likeliest first, and how it is written in full: `?` is a check digit left out.
const FORMS = {
  6: [["UPC-E", "0#?"]],
  7: [["UPC-E", "0#"], ["UPC-E", "#?"]],
  8: [["EAN-8", "#"], ["UPC-E", "#"]],
  9: [["UPC-A", "000#"]],
  10: [["UPC-A", "00#"]],
  11: [["UPC-A", "0#"]],
  12: [["UPC-A", "#"]],
  13: [["EAN-13", "#"]],
  14: [["GTIN-14", "#"]],
};

/** The digit that completes a code. Weights alternate 3, 1 from the right. */
function checkDigit(body) {
  let sum = 0;
  for (let place = 0; place < body.length; place++) sum += Number(body.at(-1 - place)) * (place % 2 ? 1 : 3);
  return String((10 - (sum % 10)) % 10);
}

/**
 * Every way to read 6 to 14 digits.
 * @returns {{kind: string, digits: string, check: "right"|"wrong"|"absent", right: string, upcA: ?string, gtin13: ?string}[]}
 */
export function readAll(text) {
  const digits = text.replaceAll(/[ -]/g, "");
  if (!/^[0-9]+$/.test(digits)) return [];
  return (FORMS[digits.length] ?? [])
    .map(([kind, form]) => [kind, form.replace("#", digits)])
    .filter(([kind, code]) => kind !== "UPC-E" || code[0] === "0" || code[0] === "1")
    .map(([kind, code]) => read(kind, code));
}

/** The GTIN-13s that a code can stand for; two where it can be read in two ways. */
export function gtin13s(text) {
  const found = readAll(text).filter((reading) => reading.check !== "wrong" && reading.gtin13);
  return [...new Set(found.map((reading) => reading.gtin13))];
}

function read(kind, code) {
  const body = kind === "UPC-E" ? expand(code) : code.slice(0, -1);
  const right = checkDigit(body);
  const given = code.at(-1);
  if (given !== "?" && given !== right) return { kind, digits: code, check: "wrong", right, upcA: null, gtin13: null };
  const whole = (body + right).padStart(14, "0");
  return {
    kind,
    digits: code.slice(0, -1) + right,
    check: given === "?" ? "absent" : "right",
    right,
    upcA: kind.startsWith("UPC") ? body + right : null,
    // The first digit of a GTIN-14 is 0 for a single piece; no GTIN-13 can say anything else.
    gtin13: whole[0] === "0" ? whole.slice(1) : null,
  };
}

/** The UPC-A that a UPC-E is short for, without its check digit. */
function expand(code) {
  const [system, a, b, c, d, e, f] = code;
  if ("012".includes(f)) return `${system}${a}${b}${f}0000${c}${d}${e}`;
  if (f === "3") return `${system}${a}${b}${c}00000${d}${e}`;
  if (f === "4") return `${system}${a}${b}${c}${d}00000${e}`;
  return `${system}${a}${b}${c}${d}${e}0000${f}`;
}

// The exact calls for what is on the screen: in curl, and with the Python client.

import { h } from "./dom.js";
import { address } from "./api.js";

/**
 * @param {{method?: string, path: string, parameters?: object, body?: object, python: string}} call
 *   `python` is the line that the Python client takes, such as `client.foods.retrieve("…")`
 */
export function showCall(call) {
  return h("details", { class: "calls" }, h("summary", {}, "This as an API call"),
    code("curl", curl(call)), code("Python", python(call.python)));
}

function curl({ method = "GET", path, parameters = {}, body }) {
  const lines = [`curl ${quoted(location.origin + address(path, parameters))}`, '-H "Authorization: Bearer $KEY"'];
  if (method !== "GET" && !(method === "POST" && body)) lines[0] = lines[0].replace("curl", `curl -X ${method}`);
  if (body) lines.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  return lines.join(" \\\n  ");
}

function python(line) {
  const at = JSON.stringify(location.origin);
  return `from provender_client import Client\n\nclient = Client(api_key="pv_…", base_url=${at})\n${line}`;
}

/** Copy an element's text; what the button says then. Scripts have no clipboard on plain HTTP, but copy a selection. */
export async function copy(element) {
  getSelection().selectAllChildren(element);
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(element.textContent);
    else if (!document.execCommand("copy")) return "Selected: copy it";
  } catch {
    return "Selected: copy it";
  }
  return "Copied";
}

/** A text of Python, in quotes. */
export function text(value) {
  return JSON.stringify(value);
}

function quoted(value) {
  return `'${value.replaceAll("'", "'\\''")}'`;
}

function code(name, content) {
  const button = h("button", { type: "button", class: "quiet copy", "aria-label": `Copy the ${name} call` }, "Copy");
  const shown = h("code", {}, content);
  button.addEventListener("click", async () => {
    button.textContent = await copy(shown);
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  return h("figure", { class: "code" }, h("figcaption", {}, name, button), h("pre", { tabindex: "0" }, shown));
}

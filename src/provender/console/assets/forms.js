// Forms: fields with their labels and faults, and dialogs that send something and stay open while it is refused.

import { $, h, replace } from "./dom.js";
import { Refused } from "./api.js";
import { showDialog } from "./dialogs.js";

// Refusals that are about one parameter, and say so by their code alone.
const PARAMETERS = { invalid_barcode: "barcode", reference_id_taken: "reference_id" };

let made = 0;

/**
 * @param {HTMLElement} control has a `name`, the API's word for it: a fault that the API finds stands here
 * @param {{hint?: any}} [options]
 */
export function field(label, control, { hint = null } = {}) {
  control.id ||= `field-${++made}`;
  const fault = h("p", { class: "error", id: `${control.id}-fault`, "data-fault-of": control.name });
  const described = [fault.id];
  if (hint) described.push(`${control.id}-hint`);
  control.setAttribute("aria-describedby", described.join(" "));
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, fault,
    hint && h("p", { class: "hint", id: `${control.id}-hint` }, hint));
}

export function input(name, properties = {}) {
  return h("input", { name, autocomplete: "off", ...properties });
}

/** @param {[string, string][]} options values and what people read */
export function select(name, options, chosen = null) {
  return h("select", { name },
    options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
}

/** A number as somebody typed it, or what they typed where it is none, so that the API says what is wrong with it. */
export function typed(text) {
  const plain = text.trim().replace(",", ".");
  // "1,500" is a thousand and a half to some, and one and a half to others: nobody shall log the other's.
  if (/^[1-9]\d{0,2}(,\d{3})+$/.test(text.trim())) return text.trim();
  return plain === "" || Number.isNaN(Number(plain)) ? plain : Number(plain);
}

/**
 * Ask for something in a dialog. `send(form)` does it; what it answers is the answer, and null stands for "cancelled".
 * @param {{title: string, content: any[], action: string, danger?: boolean, wide?: boolean,
 *   send: (form: HTMLFormElement) => Promise<any>}} options
 */
export function ask({ title, content, action, danger = false, wide = false, send }) {
  const general = h("p", { class: "error", role: "alert" });
  const submit = h("button", { class: danger ? "danger" : "primary" }, action);
  const cancel = h("button", { type: "button" }, "Cancel");
  const form = h("form", { novalidate: true }, content, general, h("div", { class: "row actions" }, submit, cancel));
  const heading = h("h2", { id: `dialog-${++made}` }, title);
  const dialog = h("dialog", { "aria-labelledby": heading.id, class: wide && "wide" }, heading, form);
  return new Promise((resolve) => {
    let answer = null;
    let busy = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      try {
        forget(form, general);
        answer = (await send(form)) ?? {};
        dialog.close();
      } catch (error) {
        if (!(error instanceof Refused) || !dialog.open) throw error;
        show(form, general, error);
      } finally {
        busy = false;
        if (!dialog.isConnected) resolve(answer);
      }
    });
    cancel.addEventListener("click", () => dialog.close());
    // Before the dialog is removed, the words in it move out.
    showDialog(dialog);
    dialog.addEventListener("close", () => {
      dialog.remove();
      // What was sent already may still be done: whoever cancels meanwhile is told, and can undo it.
      if (!busy) resolve(answer);
    });
  });
}

/** A fault that this page finds by itself, as the API would have said it. */
export function fault(param, message) {
  return new Refused({ detail: message, errors: [{ param, message }] });
}

function forget(form, general) {
  general.textContent = "";
  for (const each of form.querySelectorAll("[data-fault-of]")) each.textContent = "";
  for (const each of form.querySelectorAll("[aria-invalid]")) each.removeAttribute("aria-invalid");
}

/** Faults stand at the fields that the API names; what belongs to none stands at the end. */
function show(form, general, refused) {
  const param = PARAMETERS[refused.code];
  const faults = refused.errors.length || !param ? refused.errors : [{ param, message: refused.message }];
  const rest = [];
  let first = null;
  for (const { param, message } of faults) {
    const place = $(`[data-fault-of="${CSS.escape(param)}"]`, form);
    const control = place && form.elements[param];
    if (!place) {
      rest.push(`${param} ${message}`);
      continue;
    }
    place.textContent = sentence(message);
    control?.setAttribute?.("aria-invalid", "true");
    const folded = place.closest("details");
    if (folded) folded.open = true;
    first ??= control;
  }
  replace(general, faults.length ? rest.join(" ") : refused.message);
  first?.focus?.();
}

function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

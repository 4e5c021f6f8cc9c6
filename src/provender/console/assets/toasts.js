// Words at the edge of the page: what was done, with a way to undo it, and what went wrong. The newest is the first, and
// stands lowest, for the place is scrolled from below.

import { $, h } from "./dom.js";

const SHOWN_MS = 8000;

/** Something that is hidden already and is deleted when nobody has undone it; leaving the page deletes it at once. */
const pending = new Set();

/** Do something when a word has been shown for long enough. Whoever points at it, or has its button, takes their time. */
function afterAWhile(toast, act) {
  let timer;
  const wait = () => (timer = setTimeout(act, SHOWN_MS));
  const stop = () => clearTimeout(timer);
  for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, stop);
  for (const name of ["pointerleave", "focusout"]) {
    toast.addEventListener(name, () => {
      stop();
      if (toast.isConnected) wait();
    });
  }
  wait();
  return stop;
}

/** Say that something was done; `undo` is offered for a few seconds. */
export function tell(text, undo = null) {
  const toast = h("div", { class: "toast" }, h("span", {}, text));
  const stop = afterAWhile(toast, () => toast.remove());
  if (undo) {
    const button = h("button", { type: "button", class: "quiet" }, "Undo");
    button.addEventListener("click", async () => {
      stop();
      toast.remove();
      try {
        await undo();
      } catch (error) {
        complain(error);
      }
    });
    toast.append(button);
  }
  $("#toasts").prepend(toast);
}

/**
 * Delete with undo. Nothing is deleted until the word is gone from the screen, so an undo brings back exactly what was
 * there. `commit({keepalive})` deletes, `restore()` shows it again.
 */
export function removeLater(text, commit, restore) {
  const toast = h("div", { class: "toast" }, h("span", {}, text));
  const removal = {
    async run(options = {}) {
      if (!pending.delete(removal)) return true;
      stop();
      toast.remove();
      try {
        await commit(options);
        return true;
      } catch (error) {
        restore();
        complain(error);
        return false;
      }
    },
  };
  const undo = h("button", { type: "button", class: "quiet" }, "Undo");
  undo.addEventListener("click", () => {
    pending.delete(removal);
    stop();
    toast.remove();
    restore();
  });
  const stop = afterAWhile(toast, () => removal.run());
  pending.add(removal);
  toast.append(undo);
  $("#toasts").prepend(toast);
}

/** Delete now what waits for it, and come back with whether that went well. */
export async function settle() {
  return (await Promise.all([...pending].map((removal) => removal.run()))).every(Boolean);
}

// A page of ours that a link opens must not show again what was deleted here a moment ago.
addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[href]");
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || link?.target || link?.hasAttribute("download");
  if (!pending.size || !link || elsewhere || event.defaultPrevented) return;
  event.preventDefault();
  if (await settle()) location.assign(link.href);
});

addEventListener("pagehide", () => {
  for (const removal of [...pending]) removal.run({ keepalive: true });
});

/** Say what the API refused, with what to do, and the id by which the server's log finds it. */
export function complain(error) {
  const id = error.problem?.request_id;
  const close = h("button", { type: "button", class: "quiet" }, "Close");
  const toast = h("div", { class: "toast failed", role: "alert" },
    h("span", {}, error.message, id && h("small", {}, ` (request ${id})`)), close);
  close.addEventListener("click", () => toast.remove());
  $("#toasts").prepend(toast);
}

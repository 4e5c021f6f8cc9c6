// Dialogs that hold everything else back. What is outside of one cannot be reached, so the words at the edge of the page,
// with their "Undo", move into the dialog that is on top, and out again.

import { $ } from "./dom.js";

/** Those that are open, the last on top. */
const opened = [];

export function showDialog(dialog) {
  dialog.addEventListener("close", () => {
    opened.splice(opened.indexOf(dialog), 1);
    moveWords();
  }, { once: true });
  if (!dialog.isConnected) document.body.append(dialog);
  dialog.showModal();
  opened.push(dialog);
  moveWords();
}

function moveWords() {
  const words = $("#toasts");
  const place = opened.at(-1) ?? document.body;
  if (words.parentElement !== place) place.append(words);
}

// Creating, changing, deleting and importing profiles.

import { h } from "./dom.js";
import { address, patch, post, remove, segment } from "./api.js";
import { ask, fault, field, input } from "./forms.js";
import { settle, tell } from "./toasts.js";
import { removeItem, showAgain } from "./views.js";
import { zoneField } from "./zones.js";

const PROFILES = "/v1/profiles";

export async function createProfile(done) {
  const reference = input("reference_id", { maxlength: 255 });
  const answer = await ask({
    title: "New profile",
    action: "Create",
    content: [
      field("reference_id", reference, { hint: "Your own name or number for this user, unique in your application." }),
      zoneField(Intl.DateTimeFormat().resolvedOptions().timeZone)],
    async send(form) {
      // Somebody may create again what was deleted a moment ago.
      await settle();
      return post(PROFILES, { reference_id: reference.value, timezone: form.elements.timezone.value.trim() || null });
    },
  });
  await made(answer, "created", done);
}

export async function importProfile(done) {
  const file = input("document", { type: "file", accept: "application/json,.json", required: true });
  const answer = await ask({
    title: "Import a profile",
    action: "Import",
    content: [field("File", file, { hint: "What an export has given, of this server or of another." }),
      field("reference_id", input("reference_id", { maxlength: 255 }),
        { hint: "Left empty, it is the one of the file." })],
    async send(form) {
      if (!file.files.length) throw fault("document", "Choose a file.");
      await settle();
      return post(address(`${PROFILES}/import`, { reference_id: form.elements.reference_id.value }), file.files[0]);
    },
  });
  await made(answer, "imported", done);
}

async function made(profile, how, done) {
  if (!profile) return;
  const at = `${PROFILES}/${segment(profile.reference_id)}`;
  showAgain(at);
  await done();
  tell(`${profile.reference_id} ${how}.`, async () => {
    await remove(at);
    await done();
  });
}

export async function changeProfile(profile, done) {
  const at = `${PROFILES}/${segment(profile.reference_id)}`;
  const answer = await ask({
    title: `Change ${profile.reference_id}`,
    action: "Save",
    content: [zoneField(profile.timezone),
      h("p", { class: "hint" }, "Days that are written already stay as they are.")],
    send: (form) => patch(at, { timezone: form.elements.timezone.value.trim() || null }),
  });
  if (!answer) return;
  await done();
  tell(`${profile.reference_id} changed.`, async () => {
    await patch(at, { timezone: profile.timezone });
    await done();
  });
}

/** Whoever deletes a profile types its name: all that a person has ever logged goes with it. */
export async function deleteProfile(profile, at, draw) {
  const { reference_id: reference } = profile;
  const box = input("confirmation", { spellcheck: "false", autofocus: true });
  const answer = await ask({
    title: `Delete ${reference}?`,
    action: "Delete",
    danger: true,
    content: [h("p", {}, "Its food diary, custom foods, saved meals and favorites are deleted with it, for good. ",
      h("a", { href: `${at}/export`, download: `${reference}.json` }, "Export it"),
      " before, if it may be wanted again."),
    field(`Type ${reference} to go on`, box)],
    async send() {
      if (box.value !== reference) throw fault("confirmation", "This is not its reference_id, letter for letter.");
    },
  });
  if (answer) removeItem(`${reference} deleted.`, at, {}, draw);
}

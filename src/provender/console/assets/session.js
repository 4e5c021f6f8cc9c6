// A session that ends in the middle of work: a key is asked for on top of it, so that nothing that was typed is lost.

import { $, h } from "./dom.js";
import { Refused, formToken, signIn } from "./api.js";
import { ask, fault, field, input } from "./forms.js";

const own = document.documentElement.dataset;
let asking = null;

/** Ask for a key, once for all that was refused. Whether somebody has signed in again. */
export function signInAgain() {
  asking ??= askForKey().finally(() => (asking = null));
  return asking;
}

/**
 * Go on with the session that the browser has now, as when somebody has signed in anew in another tab; where that has
 * ended as well, a key is asked for. Whether there is another than before.
 */
export async function renew() {
  const before = formToken();
  return (await takeOver()) ? formToken() !== before : signInAgain();
}

/**
 * Take over the token of the browser's session; false where it has none, for then a page to sign in at is shown.
 * A session of another application must not get what was meant for this one: the page is left.
 */
async function takeOver() {
  const page = await samePage();
  const token = $('meta[name="form-token"]', page);
  if (!token) return false;
  const { application, scope } = page.documentElement.dataset;
  if (application !== own.application) {
    location.assign("/");
    return new Promise(() => {});
  }
  $('meta[name="form-token"]').content = token.content;
  own.scope = scope;
  $(".who").replaceWith($(".who", page));
  return true;
}

async function askForKey() {
  const key = input("key", { type: "password", autocomplete: "current-password", autocapitalize: "off",
    spellcheck: "false", autofocus: true });
  const answer = await ask({
    title: "Sign in again",
    action: "Sign in",
    content: [
      h("p", {}, "Your session has ended, or its key does not work any more. What you have typed is not lost: when you ",
        "have signed in, it is sent."),
      field("API key", key, { hint: `One of ${own.application}. With any other you begin anew.` })],
    async send() {
      try {
        await signIn(key.value.trim());
        if (!(await takeOver())) throw fault("key", "The browser has not kept the session. It must take our cookie.");
      } catch (error) {
        throw error instanceof Refused ? fault("key", error.message) : error;
      }
    },
  });
  return answer !== null;
}

/** This page as the server would show it now: there the new session's token is, where only our own pages can read it. */
async function samePage() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) throw new Refused({ detail: "The server cannot show this page just now. Try again." });
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

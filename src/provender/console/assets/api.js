// Asking the API. The browser sends the session's cookie by itself; a change carries the page's token as well.

import { $ } from "./dom.js";

const UNREACHABLE = "unreachable";
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 1000;

/** Whether this page's session has worked. One that never did is not worth to be kept. */
let hasWorked = false;
/** @type {{signInAgain: () => Promise<boolean>, renew: () => Promise<boolean>}} what every page sets, see session.js */
let session = null;

export function keepSession(how) {
  session = how;
}

/** What a change carries: it belongs to the session, and a new session has another. */
export function formToken() {
  return $('meta[name="form-token"]')?.content ?? "";
}

/** What the API refused: `code`, `detail`, `status`, `request_id`, and `errors` of single parameters. */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail ?? problem.title);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.errors = problem.errors ?? [];
  }
}

/** Whether the key that somebody signed in with may do so much: "read", "write" or "admin". */
export function may(scope) {
  const scopes = ["read", "write", "admin"];
  return scopes.indexOf(document.documentElement.dataset.scope) >= scopes.indexOf(scope);
}

/** @param {Record<string, any>} [parameters] empty ones are left out, lists become `name[]=…` */
export function get(path, parameters = {}, { signal } = {}) {
  return ask("GET", address(path, parameters), { signal });
}

/**
 * A file is sent as it is. Where no answer came, the same is sent again under the same idempotency key: if only the
 * answer was lost, it is written once.
 */
export async function post(path, body) {
  const key = crypto.randomUUID?.() ?? fallbackKey();
  for (let wait = FIRST_WAIT_MS; ; wait *= 3) {
    try {
      return await ask("POST", path, { body, headers: { "idempotency-key": key } });
    } catch (error) {
      if (error.code !== UNREACHABLE || wait > LONGEST_WAIT_MS) throw error;
      await new Promise((done) => setTimeout(done, wait));
    }
  }
}

export function patch(path, body) {
  return ask("PATCH", path, { body });
}

/** @param {{keepalive?: boolean}} [options] `keepalive` lets it finish when the page is left meanwhile */
export function remove(path, parameters = {}, { keepalive = false } = {}) {
  return ask("DELETE", address(path, parameters), { keepalive });
}

/** All items of a list, page after page, at most so many. */
export async function all(path, parameters = {}, most = 1000) {
  const items = [];
  let page;
  do {
    const after = items.length ? { starting_after: items.at(-1)._id } : {};
    page = await get(path, { limit: 100, ...parameters, ...after });
    items.push(...page.data);
  } while (page.has_more && items.length < most);
  return items;
}

/** The address of a call with its parameters, as the API takes them. */
export function address(path, parameters = {}) {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) for (const each of value) pairs.append(`${name}[]`, each);
    else if (value !== null && value !== undefined && value !== "") pairs.append(name, value);
  }
  const query = pairs.toString().replaceAll("%5B%5D", "[]");
  return query ? `${path}?${query}` : path;
}

/** A caller's own name, such as a reference_id, as a part of a path. */
export function segment(name) {
  return encodeURIComponent(name);
}

/** The key goes to the server once, in a header, and comes back as a cookie that no script can read. */
export async function signIn(key) {
  const answer = await send("/session", { method: "POST", headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Refused(await read(answer));
}

async function ask(method, url, { body, headers = {}, signal, keepalive = false } = {}) {
  if (body !== undefined) headers["content-type"] = "application/json";
  const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
  for (;;) {
    if (method !== "GET") headers["x-form-token"] = formToken();
    const answer = await send(url, { method, headers, body: sent, signal, keepalive });
    const said = await read(answer);
    if (answer.status !== 401) hasWorked = true;
    if (answer.ok) return said;
    if (keepalive || !(await isRegained(said))) throw new Refused(said);
  }
}

async function send(url, options) {
  try {
    return await fetch(url, { credentials: "same-origin", ...options });
  } catch (error) {
    throw unanswered(error);
  }
}

async function read(answer) {
  if (answer.status === 204) return null;
  try {
    return await answer.json();
  } catch (error) {
    // Half of an answer is none. What refuses in other words than ours is a proxy.
    if (answer.ok) throw unanswered(error);
    return { status: answer.status, detail: answer.statusText };
  }
}

function unanswered(error) {
  if (error.name === "AbortError") return error;
  return new Refused({ status: 0, code: UNREACHABLE, detail: "The server cannot be reached. Is it running?" });
}

/** Whether there is a session now for what was refused for want of one, so that it can be sent again. */
async function isRegained({ status, code }) {
  if (code === "invalid_form_token") return session.renew();
  if (status !== 401) return false;
  if (hasWorked) {
    if (await session.signInAgain()) return true;
    throw new Refused({ status, code, detail: "You are signed out. Try again, and sign in when you are asked to." });
  }
  const here = location.pathname + location.search;
  location.assign(`/sign-in?ended&next=${encodeURIComponent(here)}`);
  return false;
}

function fallbackKey() {
  // `randomUUID` is for secure contexts only; on plain HTTP over a network there is none.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

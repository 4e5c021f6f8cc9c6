// Asking the API. The browser sends the session's cookie by itself; a change carries the page's token as well.

const token = document.querySelector('meta[name="form-token"]')?.content ?? "";

const UNREACHABLE = "unreachable";
const FIRST_WAIT_MS = 300;
const LONGEST_WAIT_MS = 1000;

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

async function ask(method, url, { body, headers = {}, signal, keepalive } = {}) {
  if (method !== "GET") headers["x-form-token"] = token;
  if (body !== undefined) headers["content-type"] = "application/json";
  let answer;
  try {
    const sent = body === undefined || body instanceof Blob ? body : JSON.stringify(body);
    answer = await fetch(url, { method, headers, body: sent, signal, keepalive, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused({ status: 0, code: UNREACHABLE, detail: "The server cannot be reached. Is it running?" });
  }
  if (answer.status === 401) {
    const here = location.pathname + location.search;
    location.assign(`/sign-in?ended&next=${encodeURIComponent(here)}`);
  }
  const said = await answer.json().catch(() => ({ status: answer.status, detail: answer.statusText }));
  if (!answer.ok) throw new Refused(said);
  return said;
}

function fallbackKey() {
  // `randomUUID` is for secure contexts only; on plain HTTP over a network there is none.
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

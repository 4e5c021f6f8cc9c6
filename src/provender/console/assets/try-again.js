// A page that could not be shown is asked for again when the server says so, and shown when it is there. Whoever asks in
// vain waits for twice as long: a server in trouble may have many such pages open, which also must not come all at once.

const SLOWEST_S = 60;
// More a timer cannot count.
const LONGEST_S = 24 * 60 * 60;

let wait = Number(document.body.dataset.retryAfter);

function later(seconds) {
  if (seconds) setTimeout(tryAgain, Math.min(seconds, LONGEST_S) * (1 + Math.random() / 5) * 1000);
}

async function tryAgain() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.status !== 429 && answer.status < 500) return location.reload();
  wait = Math.max(wait, Math.min(2 * wait, SLOWEST_S));
  later(Math.max(wait, Number(answer?.headers.get("retry-after")) || 0));
}

later(wait);

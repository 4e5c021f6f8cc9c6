// A page that could not be shown is asked for again when the server says so, and shown when it is there.

const wait = Number(document.body.dataset.retryAfter);

function later(seconds) {
  if (seconds) setTimeout(tryAgain, seconds * 1000);
}

async function tryAgain() {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  if (answer && answer.status !== 429 && answer.status < 500) location.reload();
  else later(Number(answer?.headers.get("retry-after")) || wait);
}

later(wait);

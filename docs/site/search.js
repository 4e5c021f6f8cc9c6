// How the site is searched: by Sphinx's own script, which reads this after itself.

// Pages that say why, or when, something was made come last: whoever searches wants to do something, or to look it up.
Scorer.score = ([page, , , , score]) => (/^(decisions\/|changelog|benchmark)/.test(page) ? score / 10 : score);

// Sphinx leaves numbers out. Here one is the status of an answer, and what somebody types who got it.
const parseWords = Search._parseQuery;
Search._parseQuery = (query) => {
  const parsed = parseWords(query);
  for (const number of query.match(/\b\d{3}\b/g) ?? []) parsed[1].add(number);
  return parsed;
};

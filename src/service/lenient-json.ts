// JSON as services write it: behind a guard against scripts, with NaN for a number, or as a text
// inside of JSON.

/** A byte order mark, and signs that keep a browser from running the JSON as a script: `)]}',`. */
const GUARD = /^\uFEFF?\s*(?:\)\]\}'?,?|while\s*\(1\);|for\s*\(;;\);|\{\}\s*&&)?/;

/** Texts, and the words that some programs write in place of a number. */
const TEXT_OR_WORD = /"(?:[^"\\]|\\[\s\S])*"?|-?\b(?:NaN|Infinity|undefined)\b/g;

/** The value, with such words as texts, which are no figures; undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  const json = text.replace(GUARD, '');
  return (
    parsed(json) ??
    parsed(json.replace(TEXT_OR_WORD, (one) => (one.startsWith('"') ? one : `"${one}"`)))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value inside a text that is an object or a list in JSON; any other value as it is. */
export function opened(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*["[{]/.test(value)) return value;
  const inner = parseJson(value);
  return inner === undefined ? value : opened(inner);
}

/** A name of a member, or a brace. */
const NAME_OR_BRACE = /"((?:[^"\\]|\\[\s\S])*)"\s*(:?)|[{}]/g;

/** The names that one object of the text has twice. `JSON.parse` keeps only the last one's value. */
export function repeatedNames(text: string): readonly string[] {
  const repeated: string[] = [];
  const open: Set<string>[] = [];
  for (const [token, raw = '', colon] of text.matchAll(NAME_OR_BRACE)) {
    const names = open[open.length - 1];
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (colon === ':' && names !== undefined) {
      const name = String(parsed(`"${raw}"`) ?? raw);
      if (names.has(name)) repeated.push(name);
      names.add(name);
    }
  }
  return repeated;
}

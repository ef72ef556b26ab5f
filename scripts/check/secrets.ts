// Looks through texts for what must never be committed: keys, and paths of somebody's machine.

export interface Finding {
  readonly line: number;
  readonly what: string;
}

interface Rule {
  readonly what: string;
  readonly pattern: RegExp;
}

/** Forms that their issuers publish for the very purpose of being found. */
const RULES: readonly Rule[] = [
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[A-Za-z0-9+/=]/ },
  { what: 'an AWS key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/ },
  { what: 'a GitHub token', pattern: /\b(?:gh[pousr]_\w{36}|github_pat_\w{22,})/ },
  { what: 'a Google API key', pattern: /\bAIza[\w-]{35}/ },
  { what: 'a Google OAuth secret', pattern: /\bGOCSPX-[\w-]{20,}|\bya29\.[\w-]{20,}/ },
  { what: 'a Google refresh token', pattern: /\b1\/\/0[\w-]{30,}/ },
  { what: 'an npm token', pattern: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { what: 'a Slack token', pattern: /\bxox[abprs]-[\w-]{10,}/ },
  { what: 'a secret key', pattern: /\b[sr]k[-_](?:live_|proj-)?[A-Za-z0-9]{20,}/ },
  { what: 'a JSON web token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/ },
  { what: "somebody's Apps Script id", pattern: /["']1[\w-]{55,70}["']/ },
  { what: 'a path of one machine', pattern: /(?<![\w.~-])\/(?:work|root|tmp)\/\w/ },
  { what: 'a home folder', pattern: /(?<![\w.~-])\/(?:home|Users)\/\w+\/|\b[A-Z]:\\Users\\/ },
];

/** `apiKey: 'long text'` and its likes. The text is judged by {@link looksRandom}. */
const NAMED_SECRET = /(?:key|token|secret|passw(?:or)?d)['"]?\s*[:=]\s*['"`]([^'"`\s]{16,})['"`]/gi;

/** How the sandbox's invented keys start, and those that tests invent. */
const INVENTED = /^(?:demo|test|invented)-/;

/** Bits per character. English words joined by dashes stay under it, random letters do not. */
const RANDOM_BITS_MIN = 3.6;

function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / text.length);
  return shares.reduce((bits, share) => bits - share * Math.log2(share), 0);
}

function looksRandom(text: string): boolean {
  const isMixed = /\d/.test(text) && /[a-z]/i.test(text) && /^[\w+/=.-]+$/.test(text);
  return isMixed && !INVENTED.test(text) && bitsPerCharacter(text) > RANDOM_BITS_MIN;
}

/** Every finding by its line, first line 1. */
export function findSecrets(text: string): readonly Finding[] {
  return text.split('\n').flatMap((content, index) => {
    const line = index + 1;
    const known = RULES.filter(({ pattern }) => pattern.test(content));
    const named = [...content.matchAll(NAMED_SECRET)].filter(([, value]) =>
      looksRandom(value ?? ''),
    );
    return [...known, ...named.map(() => ({ what: 'a key or password' }))].map(({ what }) => ({
      line,
      what,
    }));
  });
}

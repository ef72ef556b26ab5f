// Faults of reading what the service answers, and of keeping the key out of it.
import type { Fault } from '../fault';

export const SERVICE_FAULTS: readonly Fault[] = [
  {
    file: 'parse-analysis.ts',
    words: 'The answer of another product is accepted.',
    from: "if (typeof echo === 'string' && echo.trim().toUpperCase() !== asin)",
    to: "if (typeof echo === 'string' && echo.trim() === '' && asin !== '')",
    tests: ['service/dialects.test.ts'],
  },
  {
    file: 'parse-analysis.ts',
    words: 'A figure that the service did not give is shown as 0.',
    from: 'return value ?? null;',
    to: 'return value ?? 0;',
    tests: ['service/parse-analysis.test.ts'],
  },
  {
    file: 'parse-analysis.ts',
    words: 'A percentage that says so is divided once more.',
    from: "isPercentText(named.get('roi')?.value) ? 'fraction' : settings.roiUnit",
    to: 'settings.roiUnit',
    tests: ['service/parse-analysis.test.ts'],
    also: { from: '  isPercentText,\n', to: '' },
  },
  {
    file: 'response.ts',
    words: "The service's words are shown with the key in them.",
    from: 'const shown = textWithoutKey(words, apiKey)',
    to: 'const shown = words',
    tests: ['service/reply.test.ts'],
  },
  {
    file: 'response.ts',
    words: 'The name of a call is shown though it has the key in it.',
    from: "if (shown === '' || betrays(id, apiKey) || betrays(shown, shownKey)) return undefined;",
    to: "if (shown === '' || betrays('', shownKey)) return undefined;",
    tests: ['service/reply.test.ts'],
  },
  {
    file: 'response.ts',
    words: "Google's own words are passed on with the key in them.",
    from: 'words: textWithoutKey(outcome.words, apiKey)',
    to: 'words: outcome.words',
    tests: ['service/reply.test.ts'],
  },
  {
    file: 'response.ts',
    words: 'A used-up plan that is said with 429 is taken for too fast, and asked for ever.',
    from: 'if (!isSpeed && isSpent) return',
    to: 'if (!isSpeed && isSpent && status === 403) return',
    tests: ['service/reply.test.ts'],
  },
  {
    file: 'response.ts',
    words: 'A no that comes with status 200 is read as an answer.',
    from: "return saysNo(json) ? byWords(said) : { kind: 'answer', json };",
    to: "return isWordsAlone(json) ? byWords(said) : { kind: 'answer', json };",
    tests: ['service/reply.test.ts'],
  },
  {
    file: 'response.ts',
    words: 'A service that names the year 9999 stops everybody until then.',
    from: 'const waitMs = Math.max(THROTTLED_MS_MIN, Math.min(saidMs, NAMED_MS_MAX));',
    to: 'const waitMs = Math.max(THROTTLED_MS_MIN, saidMs);',
    tests: ['service/dialects.test.ts'],
  },
  {
    file: 'request.ts',
    words: 'The key in base64 is passed on.',
    from: 'const forms = [apiKey, encodeURIComponent(apiKey), ...base64Forms(apiKey)];',
    to: 'const forms = [apiKey, encodeURIComponent(apiKey)];',
    tests: ['service/dialects.test.ts'],
    also: {
      from: 'return places.flatMap((form) => [form,',
      to: 'return places.slice(0, 0).flatMap((form) => [form,',
    },
  },
  {
    file: 'rate-headers.ts',
    words: 'Of several policies of the service the fastest rules.',
    from: 'one.calls / one.perSeconds < slow.calls / slow.perSeconds',
    to: 'one.calls / one.perSeconds > slow.calls / slow.perSeconds',
    tests: ['service/rate-headers.test.ts'],
  },
  {
    file: 'rate-headers.ts',
    words: 'Of several times to wait the shortest is kept to.',
    from: 'waits.length === 0 ? undefined : Math.max(...waits)',
    to: 'waits.length === 0 ? undefined : Math.min(...waits)',
    tests: ['service/rate-headers.test.ts'],
  },
];

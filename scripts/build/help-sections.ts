// What the page on troubleshooting says of each failure, for the sidebar to show beside it: one text for both.

/** Told in full where they are said, or said in cells alone. */
const SAID_ALREADY: readonly string[] = [
  ...[
    'bad-asin',
    'bad-market',
    'bad-field',
    'bad-argument',
    'bad-address',
    'bad-key',
    'bad-settings',
  ],
  'no-price',
];

/** Emphasis is all that the sidebar draws; anything else would be shown as its signs. */
const DRAWN = /^(?!- )(?:[^*`[\]|<>#]|\*[^*]+\*)+$/;

/** Emphasis for what is typed or found by its letters as well; links stay where they lead. */
function paragraphOf(text: string): string {
  const plain = text.replaceAll('`', '*');
  if (!DRAWN.test(plain)) throw new Error(`The sidebar cannot show this of the help: ${text}`);
  return plain;
}

/** Of a table with what the report calls a problem, its words and what else there is to know. */
function rowsOf(kind: string, lines: readonly string[]): readonly (readonly [string, string])[] {
  return lines.flatMap((line) => {
    const [, why, more] = /^\| `([a-z-]+)` \| .* \| (.+) \|$/.exec(line) ?? [];
    return why === undefined || more === undefined ? [] : [[`${kind} ${why}`, paragraphOf(more)]];
  });
}

/** Paragraphs, a line each, by the kind of a failure, or by "kind why"; only where they say more than its words. */
export function helpSections(markdown: string): Readonly<Record<string, string>> {
  const sections = markdown.split(/^## /m).slice(1);
  return Object.fromEntries(
    sections.flatMap((section) => {
      const [kind = '', ...lines] = section.split('\n').filter((line) => line !== '');
      const rows = rowsOf(kind, lines);
      if (rows.length > 0) return rows;
      const said = lines.filter((line) => !line.startsWith('>'));
      return SAID_ALREADY.includes(kind) ? [] : [[kind, said.map(paragraphOf).join('\n')]];
    }),
  );
}

// RichTextValue and its builder: a cell's text, of which parts have a style or a link of their own.

import {
  changed,
  commonLink,
  commonStyle,
  DEFAULT_STYLE,
  over,
  partsWithin,
  plainParts,
  runsOf,
  type TextPart,
} from '../../sheet/rich-text';
import type { Place, RichText } from './calls';
import { filled, fittingRows, type Making } from './making';
import { styleFacts, styleOf } from './text-style';

interface RichFacts {
  readonly text: string;
  /** That of the whole text, or null. */
  readonly link: string | null;
  /** Made when the script asks for them, since most scripts want a text or a link. */
  readonly parts: () => readonly TextPart[];
}

const factsOf = (text: string, parts: readonly TextPart[]): RichFacts => ({
  text,
  link: commonLink(parts),
  parts: () => parts,
});

const described = new WeakMap<object, RichFacts>();

export function richTextMembers(making: Making, place: Place, self: () => object) {
  const { call } = making;
  const first: Place = { ...place, rowCount: 1, columnCount: 1 };
  const shown = (content: RichText) => {
    if (content === null) return null;
    const { text, link, base = DEFAULT_STYLE, parts } = content;
    const whole = parts ? commonLink(parts) : link || null;
    const styled = () =>
      (parts ?? plainParts(text, whole)).map((part) => ({
        ...part,
        style: over(part.style, base),
      }));
    return richTextOf(making, { text, link: whole, parts: styled }, 0);
  };
  const facts = (value: unknown) => {
    const found = described.get(value as object);
    if (!found) throw new Error('A cell takes rich text that was built, or that it was asked for.');
    return { text: found.text, parts: found.parts() };
  };
  return {
    getRichTextValue: () =>
      shown(call('spreadsheet.read.getRichTextValues', first)[0]?.[0] ?? null),
    getRichTextValues: () =>
      call('spreadsheet.read.getRichTextValues', place).map((row) => row.map(shown)),
    setRichTextValue: (value: unknown) => {
      call('spreadsheet.write.setRichTextValues', place, filled(place, facts(value)));
      return self();
    },
    setRichTextValues: (values: unknown) => {
      const rows = fittingRows(making, place, 'setRichTextValues', values);
      call(
        'spreadsheet.write.setRichTextValues',
        place,
        rows.map((row) => row.map(facts)),
      );
      return self();
    },
  };
}

/** `start` is where the value begins in its cell: a run is a value too. */
function richTextOf(making: Making, facts: RichFacts, start: number): object {
  const { text, link } = facts;
  const within = (from?: number, to?: number) =>
    from === undefined ? facts.parts() : partsWithin(facts.parts(), from, to ?? text.length);
  const self = making.guard(
    'RichTextValue',
    {
      getText: () => text,
      getLinkUrl: (from?: number, to?: number) =>
        from === undefined ? link : commonLink(within(from, to)),
    },
    () => ({
      getStartIndex: () => start,
      getEndIndex: () => start + text.length,
      getTextStyle: (from?: number, to?: number) => styleOf(making, commonStyle(within(from, to))),
      getRuns: () =>
        runsOf(facts.parts()).map((run) => {
          const own = text.slice(run.start, run.end);
          const part = { ...run, start: 0, end: own.length };
          return richTextOf(making, factsOf(own, [part]), start + run.start);
        }),
      copy: () => richTextBuilder(making, facts),
    }),
  );
  described.set(self, facts);
  return self;
}

/** developers.google.com/apps-script/reference/spreadsheet/rich-text-value-builder */
export function richTextBuilder(
  making: Making,
  from: RichFacts = factsOf('', plainParts('')),
): object {
  let { text } = from;
  let parts = from.parts();
  /** Arguments: (value) for the whole text, or (start, end, value). */
  const change = (
    method: string,
    args: readonly unknown[],
    part: (value: unknown) => (before: TextPart) => Partial<TextPart>,
  ) => {
    const [start, end] = args.length > 1 ? args.map(Number) : [0, text.length];
    if (start === undefined || end === undefined || start < 0 || end > text.length || start > end)
      throw new Error(`RichTextValueBuilder.${method} reaches beyond the text.`);
    parts = changed(parts, start, end, part(args.at(-1)));
    return self;
  };
  const self: object = making.guard('RichTextValueBuilder', {
    /** "Clears any existing text style." */
    setText: (next: string) => {
      text = String(next);
      parts = plainParts(text);
      return self;
    },
    setTextStyle: (...args: readonly unknown[]) => {
      const upper = styleFacts(args.at(-1));
      if (upper === null) return self;
      return change('setTextStyle', args, () => (before) => ({ style: over(upper, before.style) }));
    },
    setLinkUrl: (...args: readonly unknown[]) =>
      change('setLinkUrl', args, (url) => () => ({ link: url === null ? null : String(url) })),
    build: () => richTextOf(making, factsOf(text, runsOf(parts)), 0),
  });
  return self;
}

// Texts of which parts have a style or a link of their own. Pure functions.

/** What a style sets. null: it leaves this as it is. */
export interface TextStyle {
  readonly bold: boolean | null;
  readonly italic: boolean | null;
  readonly underline: boolean | null;
  readonly strikethrough: boolean | null;
  readonly size: number | null;
  readonly family: string | null;
  /** "#rrggbb". `theme` names it where it is one of the theme's. */
  readonly color: { readonly code: string; readonly theme: string | null } | null;
}

export const NO_STYLE: TextStyle = {
  ...{ bold: null, italic: null, underline: null, strikethrough: null },
  ...{ size: null, family: null, color: null },
};

/** A style names the default font otherwise than Range.getFontFamily (measured by gas-fakes). */
export const DEFAULT_STYLE: TextStyle = {
  ...{ bold: false, italic: false, underline: false, strikethrough: false },
  ...{ size: 10, family: 'arial,sans,sans-serif', color: { code: '#000000', theme: null } },
};

/** A stretch of a text, from the first character on. The stretches of a text follow each other. */
export interface TextPart {
  readonly start: number;
  /** The character after its last. */
  readonly end: number;
  readonly style: TextStyle;
  readonly link: string | null;
}

export const plainParts = (text: string, link: string | null = null): readonly TextPart[] => [
  { start: 0, end: text.length, style: NO_STYLE, link },
];

/** What the upper style sets, and else the lower one. */
export function over(upper: TextStyle, lower: TextStyle): TextStyle {
  return {
    bold: upper.bold ?? lower.bold,
    italic: upper.italic ?? lower.italic,
    underline: upper.underline ?? lower.underline,
    strikethrough: upper.strikethrough ?? lower.strikethrough,
    size: upper.size ?? lower.size,
    family: upper.family ?? lower.family,
    color: upper.color ?? lower.color,
  };
}

/** The parts with a change in one stretch. What a stretch cuts falls apart. */
export function changed(
  parts: readonly TextPart[],
  start: number,
  end: number,
  change: (part: TextPart) => Partial<TextPart>,
): readonly TextPart[] {
  return parts.flatMap((part) => {
    const [from, to] = [Math.max(part.start, start), Math.min(part.end, end)];
    if (from >= to) return [part];
    const pieces = [
      { ...part, end: from },
      { ...part, ...change(part), start: from, end: to },
      { ...part, start: to },
    ];
    return pieces.filter((piece) => piece.start < piece.end);
  });
}

const isSame = (one: TextPart, other: TextPart) =>
  one.link === other.link && JSON.stringify(one.style) === JSON.stringify(other.style);

/** "The longest possible" stretches of one style and one link. */
export function runsOf(parts: readonly TextPart[]): readonly TextPart[] {
  const runs: TextPart[] = [];
  for (const part of parts) {
    const last = runs.at(-1);
    if (last && isSame(last, part)) runs[runs.length - 1] = { ...last, end: part.end };
    else runs.push(part);
  }
  return runs;
}

const sameOr = <Value>(values: readonly Value[]): Value | null => {
  const [first = null] = values;
  const isOne = values.every((value) => JSON.stringify(value) === JSON.stringify(first));
  return isOne ? first : null;
};

/** What all of the parts have in common. */
export function commonStyle(parts: readonly TextPart[]): TextStyle {
  const styles = parts.map(({ style }) => style);
  return {
    bold: sameOr(styles.map(({ bold }) => bold)),
    italic: sameOr(styles.map(({ italic }) => italic)),
    underline: sameOr(styles.map(({ underline }) => underline)),
    strikethrough: sameOr(styles.map(({ strikethrough }) => strikethrough)),
    size: sameOr(styles.map(({ size }) => size)),
    family: sameOr(styles.map(({ family }) => family)),
    color: sameOr(styles.map(({ color }) => color)),
  };
}

/** Reference of RichTextValue.getLinkUrl: null "if there are multiple different links". */
export const commonLink = (parts: readonly TextPart[]): string | null =>
  sameOr(parts.map(({ link }) => link));

/** The parts in a stretch of the text. */
export const partsWithin = (
  parts: readonly TextPart[],
  start: number,
  end: number,
): readonly TextPart[] =>
  parts.flatMap((part) => {
    const [from, to] = [Math.max(part.start, start), Math.min(part.end, end)];
    return from < to ? [{ ...part, start: from, end: to }] : [];
  });

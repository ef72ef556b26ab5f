// Alignment, wrapping, fonts and borders of a range, as a script sets and reads them.

import type { LookOf } from '../../sheet/cell-looks';
import type { Matrix } from '../../sheet/model';
import type { Border, LookName, Place, Plural } from './calls';
import { TEXT_DIRECTIONS, WRAP_STRATEGIES } from './enums';
import type { Making } from './making';
import { filled, fittingRows } from './making';

interface Look {
  readonly of: LookOf;
  /** The text to keep. null: Google silently ignores the value, and the cell stays unchanged. */
  readonly kept: (value: unknown) => string | null;
  readonly shown: (text: string, making: Making) => unknown;
}

/** A look with a fixed set of words. The first is that of a new cell. */
function oneOf(of: LookOf, [initial, ...others]: readonly [string, ...string[]]): Look {
  const kept = (value: unknown) => {
    if (value === null || value === initial) return '';
    return others.includes(String(value)) ? String(value) : null;
  };
  return { of, kept, shown: (text) => text || initial };
}

/** A value of an enum as its name. */
const named =
  (names: readonly string[]) =>
  (value: unknown): string | null => {
    if (value === null) return '';
    return names.includes(String(value)) ? String(value) : null;
  };

/**
 * Keyed by the names of Range's members, which get and set the look of one cell or of each.
 * Google's answers were measured by gas-fakes on GitHub ("oddities"): null and "normal" are
 * different alignments, unknown words are silently ignored, and a new cell says that it wraps
 * (issuetracker.google.com/427134600).
 */
const LOOKS: Readonly<Record<LookName, Look>> = {
  FontFamily: {
    of: 'family',
    kept: (value) => (value === null ? '' : String(value)),
    shown: (text) => text || 'Arial',
  },
  FontLine: oneOf('line', ['none', 'underline', 'line-through']),
  FontSize: {
    of: 'size',
    kept: (value) => (Number.isFinite(value) && Number(value) > 0 ? String(value) : null),
    shown: (text) => Number(text || 10),
  },
  FontStyle: oneOf('style', ['normal', 'italic']),
  HorizontalAlignment: {
    of: 'horizontal',
    kept: (value) => {
      if (value === null) return '';
      if (value === 'normal') return 'general-left';
      return ['left', 'center', 'right'].includes(String(value)) ? String(value) : null;
    },
    shown: (text) => text || 'general',
  },
  TextDirection: {
    of: 'direction',
    kept: named(TEXT_DIRECTIONS),
    shown: (text, { textDirections }) => (text === '' ? null : textDirections[text]),
  },
  VerticalAlignment: oneOf('vertical', ['bottom', 'top', 'middle']),
  Wrap: {
    of: 'wrap',
    kept: (value) => (value ? 'WRAP' : 'OVERFLOW'),
    shown: (text) => text === '' || text === 'WRAP',
  },
  WrapStrategy: {
    of: 'wrap',
    kept: named(WRAP_STRATEGIES),
    shown: (text, { wrapStrategies }) => wrapStrategies[text || 'OVERFLOW'],
  },
};

const LOOK_NAMES = Object.keys(LOOKS) as readonly LookName[];

const plural = (name: string): string =>
  name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;

/** The look that each member of Range concerns. Calls are named after the plural. */
export const LOOK_CALLS: readonly { readonly calls: string; readonly of: LookOf }[] = [
  ...LOOK_NAMES.map((name) => ({ calls: plural(name), of: LOOKS[name].of })),
  { calls: 'BackgroundThemes', of: 'backgroundTheme' },
  { calls: 'FontThemes', of: 'fontTheme' },
  { calls: 'TextRotations', of: 'rotation' },
];

type LookMembers = Readonly<
  Record<
    `${'get' | 'set'}${LookName | Plural<LookName>}` | 'setBorder',
    (...args: unknown[]) => unknown
  >
>;

export function lookMembers(making: Making, place: Place, self: () => object): LookMembers {
  const { call } = making;
  const first: Place = { ...place, rowCount: 1, columnCount: 1 };
  const members = LOOK_NAMES.flatMap((name) => {
    const { kept, shown } = LOOKS[name];
    const many = plural(name) as Plural<LookName>;
    const read = (where: Place) =>
      call(`spreadsheet.read.get${many}`, where).map((row) =>
        row.map((text) => shown(text, making)),
      );
    const write = (texts: Matrix<string | null>) => {
      call(`spreadsheet.write.set${many}`, place, texts);
      return self();
    };
    return Object.entries({
      [`get${name}`]: () => read(first)[0]?.[0],
      [`get${many}`]: () => read(place),
      [`set${name}`]: (value: unknown) => write(filled(place, kept(value))),
      [`set${many}`]: (values: unknown) =>
        write(fittingRows(making, place, `set${many}`, values).map((row) => row.map(kept))),
    });
  });
  return {
    ...(Object.fromEntries(members) as LookMembers),
    setBorder: (...args: readonly unknown[]) => {
      call('spreadsheet.write.setBorder', place, borderOf(args));
      return self();
    },
  };
}

/**
 * Arguments: (top, left, bottom, right, vertical, horizontal, color, style). Each side is true,
 * false, or null for no change.
 */
function borderOf(args: readonly unknown[]): Border {
  const [top, left, bottom, right, vertical, horizontal, color, style] = args;
  const line = `${String(style ?? 'SOLID')} ${String(color ?? '#000000')}`;
  const drawn = (isDrawn: unknown) => {
    if (isDrawn === null || isDrawn === undefined) return undefined;
    return isDrawn ? line : null;
  };
  return {
    top: drawn(top),
    left: drawn(left),
    bottom: drawn(bottom),
    right: drawn(right),
    vertical: drawn(vertical),
    horizontal: drawn(horizontal),
  };
}

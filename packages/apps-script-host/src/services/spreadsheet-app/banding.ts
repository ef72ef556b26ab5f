// Banding: rows or columns of a range in two colours by turns, with a header and a footer.

import { meet } from '../../sheet/rectangle';
import type { BandingFacts, Place } from './calls';
import { colourFacts } from './color';
import { colourOf } from './colours';
import { type Making, placeOf, type RangeHandle } from './making';

/**
 * Header, first, second and footer of each theme, as Google applies them (measured by gas-fakes on
 * GitHub). The first band is white in all of them.
 */
const THEMES = {
  LIGHT_GREY: ['#bdbdbd', '#f3f3f3', '#dedede'],
  CYAN: ['#4dd0e1', '#e0f7fa', '#a2e8f1'],
  GREEN: ['#63d297', '#e7f9ef', '#afe9ca'],
  YELLOW: ['#f7cb4d', '#fef8e3', '#fce8b2'],
  ORANGE: ['#f46524', '#ffe6dd', '#ffccbc'],
  BLUE: ['#5b95f9', '#e8f0fe', '#acc9fe'],
  TEAL: ['#26a69a', '#ddf2f0', '#8cd3cd'],
  GREY: ['#78909c', '#ebeff1', '#bbc8ce'],
  BROWN: ['#cca677', '#f8f2eb', '#e6d3ba'],
  LIGHT_GREEN: ['#8bc34a', '#eef7e3', '#c4e2a0'],
  INDIGO: ['#8989eb', '#e8e7fc', '#c4c3f7'],
  PINK: ['#e91d63', '#fddce8', '#f68ab0'],
} as const;

export const BANDING_THEMES = [
  ...(['LIGHT_GREY', 'CYAN', 'GREEN', 'YELLOW', 'ORANGE', 'BLUE', 'TEAL', 'GREY'] as const),
  ...(['BROWN', 'LIGHT_GREEN', 'INDIGO', 'PINK'] as const),
] as const;

const PARTS = ['Header', 'First', 'Second', 'Footer'] as const;
type Part = (typeof PARTS)[number];
type PartKey = Lowercase<Part>;

const keyOf = (part: Part) => part.toLowerCase() as PartKey;

/** Range.applyRowBanding and applyColumnBanding. Left out: light grey, with a header. */
export function applied(
  making: Making,
  range: RangeHandle,
  axis: BandingFacts['axis'],
  [theme, showsHeader = true, showsFooter = false]: readonly unknown[],
): object {
  const name = BANDING_THEMES.find((each) => String(theme) === each) ?? 'LIGHT_GREY';
  const [header, second, footer] = THEMES[name];
  return bandingOf(
    making,
    making.call('spreadsheet.write.setBanding', {
      id: null,
      place: placeOf(range),
      axis,
      header: showsHeader ? header : null,
      first: '#ffffff',
      second,
      footer: showsFooter ? footer : null,
    }),
  );
}

/** Reference of Range.getBandings: "all the bandings that are applied to any cells in this range". */
export const bandingsIn = (making: Making, place: Place): object[] =>
  making
    .call('spreadsheet.read.getBandings', place.sheetId)
    .filter((facts) => meet(facts.place, place))
    .map((facts) => bandingOf(making, facts));

export function bandingOf(making: Making, given: BandingFacts): object {
  const { call, guard, range, color } = making;
  let facts = given;
  const change = (part: Partial<BandingFacts>) => {
    facts = call('spreadsheet.write.setBanding', { ...facts, ...part });
    return self;
  };
  /** The members for rows say nothing of a banding of columns, and the other way round. */
  const members = (axis: BandingFacts['axis'], line: 'Row' | 'Column') =>
    PARTS.flatMap((part) => {
      const key = keyOf(part);
      const read = () => (facts.axis === axis ? facts[key] : null);
      const set = (code: string | null) => {
        if (code === null && (key === 'first' || key === 'second'))
          throw new Error(`${part} ${line.toLowerCase()} color should not be null.`);
        return change({ [key]: code });
      };
      const code = (colour: unknown) => (colour === null ? null : colourOf(colour));
      return Object.entries({
        [`get${part}${line}Color`]: read,
        [`get${part}${line}ColorObject`]: () => {
          const found = read();
          return found === null ? null : color({ code: found, theme: null });
        },
        [`set${part}${line}Color`]: (colour: unknown) => set(code(colour)),
        [`set${part}${line}ColorObject`]: (object: unknown) =>
          set(colourFacts(object)?.code ?? null),
      });
    });
  type Line = 'Row' | 'Column';
  type Members = Record<`${'get' | 'set'}${Part}${Line}${'Color' | 'ColorObject'}`, unknown>;
  const self: object = guard('Banding', {
    ...(Object.fromEntries([...members('row', 'Row'), ...members('column', 'Column')]) as Members),
    getRange: () => range(facts.place),
    setRange: (next: RangeHandle) => change({ place: placeOf(next) }),
    copyTo: (to: RangeHandle) =>
      bandingOf(
        making,
        call('spreadsheet.write.setBanding', { ...facts, id: null, place: placeOf(to) }),
      ),
    remove: () => {
      if (facts.id !== null) call('spreadsheet.write.removeBanding', facts.place.sheetId, facts.id);
    },
  });
  return self;
}

// TextStyle and colours as objects: the looks of a range's text in one, and those of its cells.

import type { Matrix } from '../../sheet/model';
import { DEFAULT_STYLE, NO_STYLE, type TextStyle } from '../../sheet/rich-text';
import type { Place } from './calls';
import { type ColourFacts, colourFacts, THEME_CODES, type ThemeColour } from './color';
import { colourOf } from './colours';
import { filled, fittingRows, type Making } from './making';

const described = new WeakMap<object, TextStyle>();

/** The facts of a style that was built. null: no style. */
export function styleFacts(style: unknown): TextStyle | null {
  if (style === null || style === undefined) return null;
  const facts = described.get(style as object);
  if (!facts) throw new Error('A cell takes styles that were built, or that it was asked for.');
  return facts;
}

export function styleOf(making: Making, facts: TextStyle): object {
  const { guard, color } = making;
  const self = guard('TextStyle', {
    isBold: () => facts.bold,
    isItalic: () => facts.italic,
    isUnderline: () => facts.underline,
    isStrikethrough: () => facts.strikethrough,
    getFontSize: () => facts.size,
    getFontFamily: () => facts.family,
    /** Of a colour of the theme its name (measured by gas-fakes on GitHub). */
    getForegroundColor: () => facts.color?.theme ?? facts.color?.code ?? null,
    getForegroundColorObject: () => facts.color && color(facts.color as ColourFacts),
    copy: () => styleBuilder(making, facts),
  });
  described.set(self, facts);
  return self;
}

/** developers.google.com/apps-script/reference/spreadsheet/text-style-builder */
export function styleBuilder(making: Making, from: TextStyle = NO_STYLE): object {
  let facts = from;
  const change = (part: Partial<TextStyle>) => {
    facts = { ...facts, ...part };
    return self;
  };
  const self: object = making.guard('TextStyleBuilder', {
    setBold: (bold: boolean) => change({ bold: Boolean(bold) }),
    setItalic: (italic: boolean) => change({ italic: Boolean(italic) }),
    setUnderline: (underline: boolean) => change({ underline: Boolean(underline) }),
    setStrikethrough: (is: boolean) => change({ strikethrough: Boolean(is) }),
    setFontSize: (size: number) => change({ size: Number(size) }),
    setFontFamily: (family: string) => change({ family: String(family) }),
    setForegroundColor: (text: string) => change({ color: { code: colourOf(text), theme: null } }),
    setForegroundColorObject: (object: unknown) => change({ color: colourFacts(object) }),
    build: () => styleOf(making, facts),
  });
  return self;
}

const THEME_OF = { FontColor: 'FontThemes', Background: 'BackgroundThemes' } as const;
const READ_OF = { FontColor: 'getFontColors', Background: 'getBackgrounds' } as const;
const DEFAULT_OF = { FontColor: '#000000', Background: '#ffffff' } as const;
type Painted = keyof typeof THEME_OF;

/** Members of Range that take and give colours and styles as objects, and how text is turned. */
export function styleMembers(making: Making, place: Place, self: () => object) {
  const { call, color, guard } = making;
  const first: Place = { ...place, rowCount: 1, columnCount: 1 };
  const chain = (change: () => void) => {
    change();
    return self();
  };
  const readColours = (of: Painted, where: Place): ColourFacts[][] => {
    const themes = call(`spreadsheet.read.get${THEME_OF[of]}`, where);
    return call(`spreadsheet.read.${READ_OF[of]}`, where).map((row, down) =>
      row.map((text, right) => {
        const code = text || DEFAULT_OF[of];
        // A code that was set later is no colour of the theme.
        const name = (themes[down]?.[right] ?? '') as ThemeColour | '';
        return { code, theme: name !== '' && THEME_CODES[name] === code ? name : null };
      }),
    );
  };
  const paint = (of: Painted, colours: Matrix<ColourFacts | null>) => {
    const part = (each: (facts: ColourFacts | null) => string) =>
      colours.map((row) => row.map(each));
    const codes = part((facts) => facts?.code ?? '');
    call(`spreadsheet.write.set${of}`, place, codes);
    call(
      `spreadsheet.write.set${THEME_OF[of]}`,
      place,
      part((facts) => facts?.theme ?? ''),
    );
  };
  const objects = (of: Painted, where: Place) =>
    readColours(of, where).map((row) => row.map(color));
  const each = (method: string, values: unknown) =>
    fittingRows(making, place, method, values).map((row) => row.map(colourFacts));
  const plain = (colour: unknown): ColourFacts => ({ code: colourOf(colour), theme: null });
  const rgb = (red: number, green: number, blue: number) =>
    `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

  const styles = (where: Place): object[][] => {
    const colours = readColours('FontColor', where);
    const lines = call('spreadsheet.read.getFontLines', where);
    const italics = call('spreadsheet.read.getFontStyles', where);
    const families = call('spreadsheet.read.getFontFamilies', where);
    const sizes = call('spreadsheet.read.getFontSizes', where);
    return call('spreadsheet.read.getFontWeights', where).map((row, down) =>
      row.map((weight, right) => {
        const at = (texts: Matrix<string>) => texts[down]?.[right] ?? '';
        return styleOf(making, {
          bold: weight === 'bold',
          italic: at(italics) === 'italic',
          underline: at(lines) === 'underline',
          strikethrough: at(lines) === 'line-through',
          size: Number(at(sizes) || DEFAULT_STYLE.size),
          family: at(families) || DEFAULT_STYLE.family,
          color: colours[down]?.[right] ?? null,
        });
      }),
    );
  };
  const wear = (rows: Matrix<TextStyle | null>) => {
    rows.forEach((row, down) => {
      row.forEach((facts, right) => {
        if (facts === null) return;
        const cell = { ...first, row: place.row + down, column: place.column + right };
        const range = making.range(cell) as Record<string, (value: unknown) => unknown>;
        const { bold, italic, underline, strikethrough, size, family } = facts;
        if (bold !== null) range.setFontWeight?.(bold ? 'bold' : 'normal');
        if (italic !== null) range.setFontStyle?.(italic ? 'italic' : 'normal');
        if (underline !== null || strikethrough !== null)
          range.setFontLine?.(underline ? 'underline' : strikethrough ? 'line-through' : 'none');
        if (size !== null) range.setFontSize?.(size);
        if (family !== null) range.setFontFamily?.(family);
        if (facts.color) range.setFontColorObject?.(color(facts.color as ColourFacts));
      });
    });
  };
  const rotation = (text: string): object => {
    const isVertical = text === VERTICAL;
    return guard('TextRotation', {
      getDegrees: () => (isVertical ? 0 : Number(text || 0)),
      isVertical: () => isVertical,
    });
  };
  const turned = (value: unknown): string => {
    if (value === null || value === undefined) return '';
    if (typeof value === 'number') return value === 0 ? '' : String(value);
    const { isVertical, getDegrees } = value as Rotation;
    return isVertical() ? VERTICAL : turned(getDegrees());
  };
  const turn = (texts: Matrix<string>) =>
    chain(() => call('spreadsheet.write.setTextRotations', place, texts));
  const rotations = (where: Place) => call('spreadsheet.read.getTextRotations', where);

  return {
    getFontColorObject: () => objects('FontColor', first)[0]?.[0],
    getFontColorObjects: () => objects('FontColor', place),
    setFontColorObject: (object: unknown) =>
      chain(() => paint('FontColor', filled(place, colourFacts(object)))),
    setFontColorObjects: (values: unknown) =>
      chain(() => paint('FontColor', each('setFontColorObjects', values))),
    getBackgroundObject: () => objects('Background', first)[0]?.[0],
    getBackgroundObjects: () => objects('Background', place),
    setBackgroundObject: (object: unknown) =>
      chain(() => paint('Background', filled(place, colourFacts(object)))),
    setBackgroundObjects: (values: unknown) =>
      chain(() => paint('Background', each('setBackgroundObjects', values))),
    setBackgroundRGB: (red: number, green: number, blue: number) =>
      chain(() => paint('Background', filled(place, plain(rgb(red, green, blue))))),
    /** Older names of getBackground and its like, which programs still call. */
    getBackgroundColor: () => readColours('Background', first)[0]?.[0]?.code,
    getBackgroundColors: () =>
      readColours('Background', place).map((row) => row.map(({ code }) => code)),
    setBackgroundColor: (colour: unknown) =>
      chain(() => paint('Background', filled(place, plain(colour)))),
    setBackgroundColors: (values: unknown) =>
      chain(() =>
        paint(
          'Background',
          fittingRows(making, place, 'setBackgroundColors', values).map((row) => row.map(plain)),
        ),
      ),
    getTextStyle: () => styles(first)[0]?.[0],
    getTextStyles: () => styles(place),
    setTextStyle: (style: unknown) => chain(() => wear(filled(place, styleFacts(style)))),
    setTextStyles: (values: unknown) =>
      chain(() =>
        wear(fittingRows(making, place, 'setTextStyles', values).map((row) => row.map(styleFacts))),
      ),
    getTextRotation: () => rotation(rotations(first)[0]?.[0] ?? ''),
    getTextRotations: () => rotations(place).map((row) => row.map(rotation)),
    setTextRotation: (value: unknown) => turn(filled(place, turned(value))),
    setTextRotations: (values: unknown) =>
      turn(fittingRows(making, place, 'setTextRotations', values).map((row) => row.map(turned))),
    setVerticalText: (isVertical: boolean) => turn(filled(place, isVertical ? VERTICAL : '')),
  };
}

const VERTICAL = 'vertical';

interface Rotation {
  readonly isVertical: () => boolean;
  readonly getDegrees: () => number;
}

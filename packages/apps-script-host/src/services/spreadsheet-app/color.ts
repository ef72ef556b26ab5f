// Color, its builder and its two kinds: a colour by its code, or one of the spreadsheet's theme.

import type { Realm } from '../../service';
import { colourOf } from './colours';
import { THEME_COLOURS } from './enums';

export type ThemeColour = (typeof THEME_COLOURS)[number];

/** A colour as cells keep it. `theme` names it where it is one of the theme's. */
export interface ColourFacts {
  readonly code: string;
  readonly theme: ThemeColour | null;
}

/** The standard theme's colours. */
export const THEME_CODES: Readonly<Record<ThemeColour, string>> = {
  UNSUPPORTED: '',
  TEXT: '#000000',
  BACKGROUND: '#ffffff',
  ACCENT1: '#4285f4',
  ACCENT2: '#ea4335',
  ACCENT3: '#fbbc04',
  ACCENT4: '#34a853',
  ACCENT5: '#ff6d01',
  ACCENT6: '#46bdc6',
  HYPERLINK: '#1155cc',
};

/** Of colours and, as Google takes these too, of their builders. */
const described = new WeakMap<object, () => ColourFacts | null>();

/** The facts of a colour that was built. null: no colour. */
export function colourFacts(color: unknown): ColourFacts | null {
  if (color === null || color === undefined) return null;
  const facts = described.get(color as object)?.();
  if (!facts) throw new Error('A cell takes colours that were built, or that it was asked for.');
  return facts;
}

export function createColors({ guard, enumeration }: Pick<Realm<never>, 'guard' | 'enumeration'>) {
  const ColorType = enumeration<Record<'UNSUPPORTED' | 'RGB' | 'THEME', object>>('ColorType', [
    ...(['UNSUPPORTED', 'RGB', 'THEME'] as const),
  ]);
  const ThemeColorType = enumeration<Record<ThemeColour, object>>('ThemeColorType', THEME_COLOURS);
  /** Members that a colour and its builder share. */
  const telling = (facts: () => ColourFacts | null) => {
    const typeOf = () => {
      const now = facts();
      if (now === null) return ColorType.UNSUPPORTED;
      return now.theme === null ? ColorType.RGB : ColorType.THEME;
    };
    return {
      getColorType: typeOf,
      asRgbColor: () => {
        const now = facts();
        if (now === null || now.theme !== null) throw new Error('Object is not of type RgbColor.');
        const part = (at: number) => Number.parseInt(now.code.slice(at, at + 2), 16);
        return guard('RgbColor', {
          asHexString: () => now.code,
          getRed: () => part(1),
          getGreen: () => part(3),
          getBlue: () => part(5),
          getColorType: () => ColorType.RGB,
        });
      },
      asThemeColor: () => {
        const theme = facts()?.theme ?? null;
        if (theme === null) throw new Error('Object is not of type ThemeColor.');
        return guard('ThemeColor', {
          getThemeColorType: () => ThemeColorType[theme],
          getColorType: () => ColorType.THEME,
        });
      },
    };
  };
  const color = (facts: ColourFacts): object => {
    const self = guard(
      'Color',
      telling(() => facts),
    );
    described.set(self, () => facts);
    return self;
  };
  const newColor = (): object => {
    let facts: ColourFacts | null = null;
    const change = (next: ColourFacts) => {
      facts = next;
      return self;
    };
    const self: object = guard('ColorBuilder', {
      ...telling(() => facts),
      setRgbColor: (text: string) => change({ code: colourOf(text), theme: null }),
      setThemeColor: (type: unknown) => {
        const theme = THEME_COLOURS.find((each) => ThemeColorType[each] === type);
        if (theme === undefined) throw new Error('There is no such colour of a theme.');
        return change({ code: THEME_CODES[theme], theme });
      },
      build: () => {
        if (facts === null) throw new Error('A colour without a code is not emulated');
        return color(facts);
      },
    });
    described.set(self, () => facts);
    return self;
  };
  return { ColorType, ThemeColorType, color, newColor };
}

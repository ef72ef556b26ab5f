// Rules of conditional formatting: by a condition, or by a gradient of colours.

import { say } from '../../messages';
import type { PartOf } from '../../service';
import type { GradientPoint } from '../../sheet/book-features';
import type { FormatRuleFacts } from './calls';
import { colourFacts } from './color';
import { colourOf } from './colours';
import { toldValues, whenMembers } from './criteria';
import { INTERPOLATION_TYPES, type InterpolationType } from './enums';
import type { Making, RangeHandle } from './making';
import { placeOf, wrongParameters } from './making';

const NO_RULE: FormatRuleFacts = { places: [], criteria: null, values: [], format: {} };

const NO_POINT: GradientPoint = { color: null, type: null, value: '' };

type Point = 'min' | 'mid' | 'max';

/** developers.google.com/apps-script/reference/spreadsheet/conditional-format-rule-builder */
export function formatRuleBuilder(making: Making, from: FormatRuleFacts = NO_RULE): object {
  let facts = from;
  const { exception, guard, range } = making;
  const change = (part: Partial<FormatRuleFacts>) => {
    facts = { ...facts, ...part };
    return self;
  };
  const look = (name: string) => (value: unknown) =>
    change({ format: { ...facts.format, [name]: value } });
  const paint = (name: string) => (object: unknown) =>
    look(name)(colourFacts(object)?.code ?? null);
  /** A gradient replaces a condition, and a condition a gradient. */
  const setPoint = (point: Point, made: GradientPoint) => {
    const { gradient = { min: NO_POINT, mid: NO_POINT, max: NO_POINT } } = facts;
    return change({ criteria: null, values: [], gradient: { ...gradient, [point]: made } });
  };
  const ofText = (color: unknown) => colourOf(color) || null;
  const ofObject = (color: unknown) => colourFacts(color)?.code ?? null;
  /** The point is the least or the greatest number of the rule's ranges. */
  const withEnd =
    (point: 'min' | 'max', codeOf: (color: unknown) => string | null) => (color: unknown) =>
      setPoint(point, {
        color: codeOf(color),
        type: point === 'min' ? 'MIN' : 'MAX',
        value: '',
      });
  const withValue =
    (point: Point, method: string, codeOf: (color: unknown) => string | null) =>
    (color: unknown, type: unknown, value: string) => {
      const named = INTERPOLATION_TYPES.find((each) => making.interpolationTypes[each] === type);
      if (named === undefined)
        throw wrongParameters(making, `ConditionalFormatRuleBuilder.${method}`, [
          ...[color, type, value],
        ]);
      return setPoint(point, { color: codeOf(color), type: named, value: String(value) });
    };
  // The published types lack these.
  const withObjects: object = {
    setBackgroundObject: paint('background'),
    setFontColorObject: paint('fontColor'),
    setGradientMinpointObject: withEnd('min', ofObject),
    setGradientMaxpointObject: withEnd('max', ofObject),
    setGradientMinpointObjectWithValue: withValue(
      'min',
      'setGradientMinpointObjectWithValue',
      ofObject,
    ),
    setGradientMidpointObjectWithValue: withValue(
      'mid',
      'setGradientMidpointObjectWithValue',
      ofObject,
    ),
    setGradientMaxpointObjectWithValue: withValue(
      'max',
      'setGradientMaxpointObjectWithValue',
      ofObject,
    ),
  };
  const self: object = guard('ConditionalFormatRuleBuilder', {
    ...whenMembers(making, 'ConditionalFormatRuleBuilder', (criteria, values) => {
      const { gradient: _, ...rest } = facts;
      facts = rest;
      return change({ criteria, values });
    }),
    ...withObjects,
    setGradientMinpoint: withEnd('min', ofText),
    setGradientMaxpoint: withEnd('max', ofText),
    setGradientMinpointWithValue: withValue('min', 'setGradientMinpointWithValue', ofText),
    setGradientMidpointWithValue: withValue('mid', 'setGradientMidpointWithValue', ofText),
    setGradientMaxpointWithValue: withValue('max', 'setGradientMaxpointWithValue', ofText),
    setBackground: look('background'),
    setFontColor: look('fontColor'),
    setBold: look('bold'),
    setItalic: look('italic'),
    setStrikethrough: look('strikethrough'),
    setUnderline: look('underline'),
    setRanges: (ranges: RangeHandle[]) => change({ places: ranges.map(placeOf) }),
    getRanges: () => facts.places.map(range),
    getBooleanCondition: () => booleanConditionOf(making, facts),
    getGradientCondition: () => gradientConditionOf(making, facts),
    copy: () => formatRuleBuilder(making, facts),
    build: () => {
      const isGradient = facts.gradient !== undefined;
      if (facts.places.length === 0 || (facts.criteria === null && !isGradient))
        throw exception(say('rule-incomplete'));
      return formatRuleOf(making, facts);
    },
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.ConditionalFormatRuleBuilder>);
  return self;
}

const describedRules = new WeakMap<object, FormatRuleFacts>();

export function formatRuleFacts(rule: object): FormatRuleFacts {
  const facts = describedRules.get(rule);
  if (!facts) throw new Error('A sheet takes rules that were built, or that it was asked for.');
  return facts;
}

export function formatRuleOf(making: Making, facts: FormatRuleFacts): object {
  const rule = making.guard('ConditionalFormatRule', {
    getRanges: () => facts.places.map(making.range),
    getBooleanCondition: () => booleanConditionOf(making, facts),
    getGradientCondition: () => gradientConditionOf(making, facts),
    copy: () => formatRuleBuilder(making, facts),
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.ConditionalFormatRule>);
  describedRules.set(rule, facts);
  return rule;
}

function booleanConditionOf(
  making: Making,
  { criteria, values, format }: FormatRuleFacts,
): object | null {
  if (criteria === null) return null;
  const flag = (name: string) => () => format[name] ?? null;
  const colour = (name: string) => () => {
    const code = format[name] ?? null;
    return code === null ? null : making.color({ code: colourOf(code), theme: null });
  };
  // By this name it tells what it is (measured by gas-fakes on GitHub).
  return making.guard('ConditionalFormatBooleanCondition', {
    getCriteriaType: () => making.booleanCriteria[criteria] ?? null,
    getCriteriaValues: () => toldValues(making, criteria, values),
    // The published types lack these two.
    ...{ getBackgroundObject: colour('background'), getFontColorObject: colour('fontColor') },
    getBackground: flag('background') as () => string,
    getFontColor: flag('fontColor') as () => string,
    getBold: flag('bold') as () => boolean,
    getItalic: flag('italic') as () => boolean,
    getStrikethrough: flag('strikethrough') as () => boolean,
    getUnderline: flag('underline') as () => boolean,
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.BooleanCondition>);
}

/** A gradient of which the host knows nothing has points without a colour. */
function gradientConditionOf(
  making: Making,
  { criteria, gradient = { min: NO_POINT, mid: NO_POINT, max: NO_POINT } }: FormatRuleFacts,
): object | null {
  if (criteria !== null) return null;
  const type = (point: Point) => {
    const name: InterpolationType | null = gradient[point].type;
    return name && making.interpolationTypes[name];
  };
  const colour = (point: Point) => {
    const { color } = gradient[point];
    return color && making.color({ code: color, theme: null });
  };
  // The published types lack these three.
  const objects: object = {
    getMinColorObject: () => colour('min'),
    getMidColorObject: () => colour('mid'),
    getMaxColorObject: () => colour('max'),
  };
  return making.guard('ConditionalFormatGradientCondition', {
    ...objects,
    getMinColor: () => gradient.min.color ?? '',
    getMidColor: () => gradient.mid.color ?? '',
    getMaxColor: () => gradient.max.color ?? '',
    getMinType: () => type('min'),
    getMidType: () => type('mid'),
    getMaxType: () => type('max'),
    getMinValue: () => gradient.min.value,
    getMidValue: () => gradient.mid.value,
    getMaxValue: () => gradient.max.value,
  } satisfies PartOf<GoogleAppsScript.Spreadsheet.GradientCondition>);
}

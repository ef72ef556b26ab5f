// Data validation: keeps the rules of cells and checks them when a script's writes reach the sheet.

import { say } from '../../messages';
import { ServiceException } from '../../service';
import { toA1 } from '../../sheet/a1-notation';
import { isDate } from '../../sheet/date-serial';
import type { Dropdown, ValidationRule } from '../../sheet/marks';
import type { CellContent, CellValue, Matrix, Rectangle, SheetModel } from '../../sheet/model';
import { meet, without } from '../../sheet/rectangle';
import type { Place, ValidationFacts } from './calls';
import type { ValidationCriteria } from './enums';

/** Sets the rule of these cells. Other cells keep theirs. */
export function setValidation(
  model: SheetModel,
  place: Place,
  facts: ValidationFacts | null,
): void {
  const { sheetId, ...rectangle } = place;
  const others = model
    .dropdowns(sheetId)
    .flatMap((each) =>
      without(each.rectangle, rectangle).map((rest) => ({ ...each, rectangle: rest })),
    );
  const made = facts === null ? [] : [{ rectangle, ...kept(sheetId, facts) }];
  model.setDropdowns(sheetId, [...others, ...made]);
}

function kept(sheetId: number, facts: ValidationFacts): Omit<Dropdown, 'rectangle'> {
  const { criteria, from, help, allowsInvalid, values, isListHidden = false } = facts;
  if (criteria === null) throw new ServiceException('A rule without criteria is not emulated');
  if (from && from.sheetId !== sheetId)
    throw new ServiceException('Choices of another sheet are not emulated');
  const rule = { criteria, values, help, allowsInvalid, ...(isListHidden && { isListHidden }) };
  const isList = criteria.startsWith('VALUE_IN_') && !isListHidden;
  const isPlain = isList && help === null && !allowsInvalid;
  const options = criteria === 'VALUE_IN_LIST' ? values : boxValues(criteria, values);
  const { sheetId: _, ...cells } = from ?? { sheetId };
  return {
    options,
    ...(from ? { from: cells as Rectangle } : {}),
    ...(isPlain ? {} : { rule }),
  };
}

/** The values of a ticked and an unticked checkbox. Other criteria have none. */
function boxValues(criteria: string | null, values: readonly CellValue[]): readonly CellValue[] {
  if (criteria !== 'CHECKBOX') return [];
  const [checked = true, unchecked = values.length === 0 ? false : ''] = values;
  return [checked, unchecked];
}

function factsOf(sheetId: number, { options, from, rule }: Dropdown): ValidationFacts {
  const plain = { values: options, help: null, allowsInvalid: false };
  const { criteria, ...rest } = rule ?? {
    criteria: from ? 'VALUE_IN_RANGE' : 'VALUE_IN_LIST',
    ...plain,
  };
  return {
    criteria: criteria as ValidationCriteria,
    from: from ? { sheetId, ...from } : null,
    ...rest,
  };
}

export function validationsIn(model: SheetModel, place: Place): (ValidationFacts | null)[][] {
  const { sheetId } = place;
  const rules = model.dropdowns(sheetId);
  return eachCell(place, (cell) => {
    const met = rules.find(({ rectangle }) => meet(rectangle, cell));
    return met ? factsOf(sheetId, met) : null;
  });
}

function eachCell<Made>(place: Place, make: (cell: Rectangle) => Made): Made[][] {
  return Array.from({ length: place.rowCount }, (_row, down) =>
    Array.from({ length: place.columnCount }, (_cell, right) =>
      make({ row: place.row + down, column: place.column + right, rowCount: 1, columnCount: 1 }),
    ),
  );
}

/**
 * The values of each cell's checkbox, ticked and unticked, and the value the cell holds. null: no
 * checkbox.
 */
function checkboxesIn(model: SheetModel, place: Place) {
  const values = model.values(place.sheetId, place);
  return validationsIn(model, place).map((row, down) =>
    row.map((facts, right) => {
      if (facts?.criteria !== 'CHECKBOX') return null;
      const [checked = true, unchecked = false] = boxValues(facts.criteria, facts.values);
      return { checked, unchecked, value: values[down]?.[right] ?? '' };
    }),
  );
}

export function setChecked(model: SheetModel, place: Place, isChecked: boolean): void {
  checkboxesIn(model, place).forEach((row, down) => {
    row.forEach((box, right) => {
      if (!box || (box.value !== box.checked && box.value !== box.unchecked)) return;
      const content = isChecked ? box.checked : box.unchecked;
      model.write(place.sheetId, place.row + down, place.column + right, [[content]]);
    });
  });
}

export function areChecked(model: SheetModel, place: Place): boolean | null {
  const boxes = checkboxesIn(model, place).flat();
  const ticks = new Set(boxes.map((box) => (box ? box.value === box.checked : null)));
  const [only = null] = ticks;
  return ticks.size === 1 ? only : null;
}

/** Reference: "and additionally clears its value if the cell contains either" of the two. */
export function removeCheckboxes(model: SheetModel, place: Place): void {
  const boxes = checkboxesIn(model, place);
  boxes.forEach((row, down) => {
    row.forEach((box, right) => {
      if (!box) return;
      const cell = { row: place.row + down, column: place.column + right };
      setValidation(model, { sheetId: place.sheetId, ...cell, rowCount: 1, columnCount: 1 }, null);
      if (box.value === box.checked || box.value === box.unchecked)
        model.write(place.sheetId, cell.row, cell.column, [['']]);
    });
  });
}

type Compare = (value: number, bounds: readonly number[]) => boolean;

const between: Compare = (value, [low = 0, high = 0]) => value >= low && value <= high;

/** For numbers, and for dates by their days. */
const COMPARISONS: Readonly<Record<string, Compare>> = {
  AFTER: (value, [bound = 0]) => value > bound,
  BEFORE: (value, [bound = 0]) => value < bound,
  BETWEEN: between,
  EQUAL_TO: (value, [bound]) => value === bound,
  GREATER_THAN: (value, [bound = 0]) => value > bound,
  GREATER_THAN_OR_EQUAL_TO: (value, [bound = 0]) => value >= bound,
  IS_VALID_DATE: () => true,
  LESS_THAN: (value, [bound = 0]) => value < bound,
  LESS_THAN_OR_EQUAL_TO: (value, [bound = 0]) => value <= bound,
  NOT_BETWEEN: (value, bounds) => !between(value, bounds),
  NOT_EQUAL_TO: (value, [bound]) => value !== bound,
  ON_OR_AFTER: (value, [bound = 0]) => value >= bound,
  ON_OR_BEFORE: (value, [bound = 0]) => value <= bound,
};

/** Google does not say what counts as an address. These are the plain forms. */
const TEXTS: Readonly<Record<string, (text: string, wanted: string) => boolean>> = {
  CONTAINS: (text, wanted) => text.includes(wanted),
  DOES_NOT_CONTAIN: (text, wanted) => !text.includes(wanted),
  EQUAL_TO: (text, wanted) => text === wanted,
  IS_VALID_EMAIL: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  IS_VALID_URL: (text) => /^(?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?:[/?#]\S*)?$/i.test(text),
};

const DAY_MS = 86_400_000;
const dayOf = (value: CellValue) =>
  isDate(value) ? Math.floor(value.getTime() / DAY_MS) : Number.NaN;

function satisfies({ criteria, values }: ValidationRule, content: CellContent): boolean {
  const [kind = '', ...rest] = criteria.split('_');
  const comparison = rest.join('_');
  const value = content as CellValue;
  if (kind === 'TEXT') return TEXTS[comparison]?.(String(value), String(values[0] ?? '')) ?? false;
  const number = kind === 'DATE' ? dayOf(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return false;
  return COMPARISONS[comparison]?.(number, values.map(kind === 'DATE' ? dayOf : Number)) ?? false;
}

function takes(
  model: SheetModel,
  sheetId: number,
  { options, from, rule }: Dropdown,
  content: CellContent,
): boolean {
  if (rule?.allowsInvalid) return true;
  if (rule?.criteria === 'CUSTOM_FORMULA')
    throw new ServiceException('Data validation by a formula that rejects values is not emulated');
  if (rule && /^(?:DATE|NUMBER|TEXT)_/.test(rule.criteria)) return satisfies(rule, content);
  const there = from ? model.values(sheetId, from).flat() : [];
  return [...options, ...there].some((option) => option !== '' && option === content);
}

/**
 * Throws Google's words for an invalid value. That the call then writes nothing at all is an
 * assumption.
 */
export function checkValid(model: SheetModel, place: Place, contents: Matrix<CellContent>): void {
  const dropdowns = model.dropdowns(place.sheetId);
  for (const [down, cells] of contents.entries()) {
    for (const [right, content] of cells.entries()) {
      if (content === '' || (typeof content === 'object' && 'formula' in content)) continue;
      const [row, column] = [place.row + down, place.column + right];
      const cell = { row, column, rowCount: 1, columnCount: 1 };
      const met = dropdowns.filter(({ rectangle }) => meet(rectangle, cell));
      if (met.every((one) => takes(model, place.sheetId, one, content))) continue;
      throw new ServiceException(say('rule-violated', toA1(cell)));
    }
  }
}

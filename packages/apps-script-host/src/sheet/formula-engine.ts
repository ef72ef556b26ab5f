// Calculates one formula of a spreadsheet with Univer's engine and Sheets' rules.

import type {
  BaseAstNode,
  BaseReferenceObject,
  BaseValueObject,
  LexerNode,
} from '@univerjs/preset-sheets-node-core';
import { customCalls } from '../custom-calls';
import { type FormulaUniver, loadFormulaUniver } from '../univer-bundle';
import { columnNumber } from './a1-notation';
import { moveDown, replaceOpenRanges } from './formula-references';
import { type FormulaTexts, googleFunctions, NOT_IN_SHEETS } from './google-functions';
import type { Area, Plain } from './key-index';
import { customFunction, type LookupCells, lookupFunctions } from './lookup-functions';
import type { Matrix } from './model';
import { type Sparkline, type Surroundings, sheetsFunctions, single } from './native-functions';

/** A formula's result in a cell. An error is its text, and null leaves the cell blank. */
export type Outcome = Plain;

export interface EvaluatedFormula {
  /** At least one row and one column. Further ones fill the cells beside and below. */
  readonly rows: readonly (readonly Outcome[])[];
  /** The number format that comes with the value, for example a date's. */
  readonly format?: string;
  /** What is drawn in the cell. Formulas and scripts cannot see it. */
  readonly sparkline?: Sparkline;
}

/** Custom functions within a formula, which a script works out. */
export interface CustomFunctions {
  readonly has: (functionName: string) => boolean;
  /** The answer, if it is there: rows of cells, or an error's text. null: it is not there yet. */
  readonly call: (functionName: string, args: readonly unknown[]) => Matrix<Outcome> | null;
  /** The date that a formula has worked out, as a script gets it. */
  readonly toDate: (serial: number) => Date;
  /** As a script gets them: a date is a Date, and a blank cell ''. */
  readonly values: (area: Area) => Matrix<unknown>;
}

export interface FormulaCells extends Surroundings, LookupCells, FormulaTexts {
  readonly custom?: CustomFunctions;
  readonly sheets: () => readonly {
    readonly id: number;
    readonly name: string;
    readonly maxRows: number;
    readonly maxColumns: number;
  }[];
}

interface FormulaPlace {
  readonly sheetId: number;
  readonly row: number;
  readonly column: number;
}

export interface FormulaEngine {
  /** Parses a formula. The result is valid as long as the sheets keep their names and sizes. */
  readonly read: (formula: string, place: FormulaPlace) => ReadFormula;
}

export interface ReadFormula {
  /**
   * Calculates the formula for any row, with its references as if it had been filled down to there.
   */
  readonly evaluate: (place: FormulaPlace) => EvaluatedFormula;
}

/**
 * The row in which formulas are parsed. Formulas that differ only by their row thus share one
 * parse. It is large so that references upwards stay valid.
 */
const BASE_ROW = 1_000_000;

const UNIT = 'book';

/** Univer's kinds of nodes. */
const VALUE_NODE = 2;
const OPERATOR_NODE = 3;
const REFERENCE_NODE = 1;
const FUNCTION_NODE = 4;

/**
 * Only within these functions does an operator or a one-value function process a range cell by
 * cell.
 */
const ARRAY_FUNCTIONS =
  /^(ARRAYFORMULA|SUMPRODUCT|FILTER|SORT|SORTN|UNIQUE|INDEX|MAP|BYROW|BYCOL|REDUCE|SCAN|MAKEARRAY)$/i;
const ONE_VALUE_FUNCTIONS =
  /^(IF|IFS|NOT|ISNUMBER|ISBLANK|ISTEXT|ISERROR|ROUND|ROUNDUP|ROUNDDOWN|FLOOR|ABS|TEXT|FIXED|LEN|VALUE)$/i;

/** These functions look up one value, their first argument. */
const ONE_KEY_FUNCTIONS = /^(XLOOKUP|XMATCH)$/i;

/**
 * Splits a formula into quoted texts, sheet names and single characters, such as brackets and
 * separators.
 */
const PART = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\s\S]/g;

/**
 * In Sheets braces may hold any expression, in Univer only constants. This replaces braces with the
 * functions that stack arrays.
 */
function stacked(formula: string): string {
  if (!formula.includes('{')) return formula;
  const open: { rows: string[][]; depth: number }[] = [];
  let text = '';
  for (const [part] of formula.matchAll(PART)) {
    const list = open.at(-1);
    if (part === '{') {
      open.push({ rows: [[text, '']], depth: 0 });
      text = '';
    } else if (list && list.depth === 0 && ',;}'.includes(part)) {
      list.rows.at(-1)?.push(text);
      text = '';
      if (part === ';') list.rows.push([]);
      if (part !== '}') continue;
      open.pop();
      const [[before = '', , ...first] = [], ...others] = list.rows;
      const rows = [first, ...others].map((cells) => `HSTACK(${cells.join(',')})`);
      text = `${before}VSTACK(${rows.join(',')})`;
    } else {
      if (list && '('.includes(part)) list.depth += 1;
      if (list && ')'.includes(part)) list.depth -= 1;
      text += part;
    }
  }
  return text;
}

/** A minus before a text, which makes a number of it, is none to Univer: -"3" becomes -("3"). */
function withMinus(formula: string): string {
  if (!/-\s*"/.test(formula)) return formula;
  let before = '(';
  let isSign = false;
  return [...formula.matchAll(PART)]
    .map(([part]) => {
      const wrapped = isSign && part.startsWith('"') ? `(${part})` : part;
      if (part.trim() === '') return wrapped;
      isSign = part === '-' && /^[-=(,{;&*/^<>+]$/.test(before);
      before = part;
      return wrapped;
    })
    .join('');
}

interface Parsed {
  readonly root: BaseAstNode;
  readonly step: Step;
}

interface Engine {
  readonly univer: FormulaUniver;
  readonly functionNames: () => readonly string[];
  readonly addCustom: (functionName: string) => void;
  /** The parsed formula, or the error that it shows whatever the cells hold. */
  readonly parse: (text: string) => Parsed | string;
  readonly run: (
    cells: FormulaCells,
    ast: Parsed,
    down: number,
    place: FormulaPlace,
  ) => BaseValueObject;
}

let loaded: Engine | null = null;

function theEngine(): Engine {
  loaded ??= loadEngine();
  return loaded;
}

/** The names of all functions of Sheets' own that formulas can call. */
export const functionNames = (): readonly string[] => theEngine().functionNames();

export function createFormulaEngine(cells: FormulaCells): FormulaEngine {
  const { univer, addCustom, parse, run } = theEngine();
  const drawn = new Map<object, Sparkline>();
  const drawing: FormulaCells = {
    ...cells,
    draw: (sparkline, value) => drawn.set(value, sparkline),
  };
  const rowsIn = (prefix: string, ownSheetId: number) => {
    const name = prefix
      .replace(/^'|'?!$/g, '')
      .replaceAll("''", "'")
      .toLowerCase();
    const isMeant = (one: { id: number; name: string }) =>
      name === '' ? one.id === ownSheetId : one.name.toLowerCase() === name;
    return cells.sheets().find(isMeant)?.maxRows ?? 0;
  };
  const read = (formula: string, { sheetId, row }: FormulaPlace): ReadFormula => {
    const { custom } = cells;
    if (custom)
      for (const { functionName } of customCalls(formula, custom.has)) addCustom(functionName);
    const whole = stacked(formula);
    const closed = replaceOpenRanges(
      whole,
      ({ text, prefix }) => `${text}$${rowsIn(prefix, sheetId)}`,
    );
    const isOpen = closed !== whole;
    const ast = parse(isOpen ? closed : moveDown(closed, BASE_ROW - row));
    if (typeof ast === 'string') return { evaluate: () => ({ rows: [[ast]] }) };
    return {
      evaluate: (place) => {
        if (isOpen && place.row !== row)
          return read(moveDown(formula, place.row - row), place).evaluate(place);
        drawn.clear();
        const down = isOpen ? 0 : place.row - BASE_ROW;
        const value = run(drawing, ast, down, place);
        const sparkline = drawn.get(single(univer, value));
        return { ...evaluated(univer, value), ...(sparkline && { sparkline }) };
      },
    };
  };
  return { read };
}

/**
 * Whether the formula relies on a range being reduced to one cell. Sheets then takes the range's
 * cell in the formula's own row, as Excel does without being asked. Authors do not intend that, so
 * it is an error here.
 */
function takesRangeAsOne(node: Node, isArray: boolean): boolean {
  const token = node.getToken();
  const inArray = isArray || ARRAY_FUNCTIONS.test(token);
  const isOneValue = node.nodeType === OPERATOR_NODE || ONE_VALUE_FUNCTIONS.test(token);
  const isOneKey = ONE_KEY_FUNCTIONS.test(token);
  return node.getChildren().some((child: Node, at: number) => {
    const isRange = child.nodeType !== VALUE_NODE && child.getToken().includes(':');
    const takesOne = isOneValue || (isOneKey && at === 0);
    return (isRange && takesOne && !inArray) || takesRangeAsOne(child, inArray);
  });
}

interface Node {
  readonly nodeType: number;
  readonly getToken: () => string;
  readonly getChildren: () => Node[];
}

function evaluated(univer: FormulaUniver, value: BaseValueObject): EvaluatedFormula {
  const whole = single(univer, value);
  if (!whole.isArray()) {
    const format = whole.getPattern();
    return { rows: [[outcome(whole)]], ...(format ? { format } : {}) };
  }
  const rows = whole.getArrayValue().map((row) => row.map((cell) => outcome(cell ?? null)));
  // An empty list is no answer, as FILTER without a match is none.
  return { rows: rows[0]?.[0] === undefined ? [['#N/A']] : rows };
}

function outcome(value: BaseValueObject | null): Outcome {
  if (value === null || value.isNull()) return null;
  if (value.isError()) {
    const error = (value as unknown as { getErrorType: () => string }).getErrorType();
    // Excel and Sheets differ in the error for FILTER without a match.
    return error === '#CALC!' ? '#N/A' : error;
  }
  const plain = value.getValue();
  return typeof plain === 'number' && !Number.isFinite(plain) ? '#NUM!' : (plain as Outcome);
}

/** One engine for the whole process. Each formula specifies the cells that it reads. */
function loadEngine(): Engine {
  const univer = loadFormulaUniver();
  const app = new univer.Univer({
    locale: univer.LocaleType.EN_US,
    logLevel: univer.LogLevel.SILENT,
  });
  app.registerPlugin(univer.UniverFormulaEnginePlugin);
  const injector = app.__getInjector();
  app.createUnit(univer.UniverInstanceType.UNIVER_SHEET, { id: UNIT });
  const functions = injector.get(univer.IFunctionService);
  const lexer = injector.get(univer.Lexer);
  const builder = injector.get(univer.AstTreeBuilder);
  const config = injector.get(univer.IFormulaCurrentConfigService);
  const runtime = injector.get(univer.IFormulaRuntimeService);
  let current: FormulaCells | null = null;
  let sheetsRead: ReturnType<FormulaCells['sheets']> | null = null;
  const cellsOfFormula = () => {
    if (current === null) throw new Error('A formula is worked out for some cells.');
    return current;
  };
  const executor = (name: string) => functions.getExecutor(name) ?? undefined;
  functions.unregisterExecutors(...NOT_IN_SHEETS);
  functions.registerExecutors(
    ...sheetsFunctions(univer, executor, cellsOfFormula),
    ...lookupFunctions(univer, cellsOfFormula),
  );
  functions.registerExecutors(...googleFunctions(univer, executor, cellsOfFormula));
  const place = { row: 0, column: 0 };
  const sizeOf = (sheetId: number) => {
    const sheet = sheetsRead?.find(({ id }) => id === sheetId);
    return { rowCount: sheet?.maxRows ?? 0, columnCount: sheet?.maxColumns ?? 0 };
  };
  // SEQUENCE and RANDARRAY ask for it. Univer would look in a sheet of its own.
  config.getSheetRowColumnCount = (_unit, sheetId) => sizeOf(Number(sheetId));
  const known = new Map<string, Parsed | string>();
  const readFormula = (text: string): Parsed | string => {
    const tree = lexer.treeBuilder(withMinus(text));
    // Univer returns an error's name instead of a tree.
    if (typeof tree === 'string') return '#ERROR!';
    const ast = builder.parse(tree as LexerNode) as BaseAstNode | undefined;
    if (!ast) return '#ERROR!';
    readConstants(univer, ast as unknown as RunNode);
    if (takesRangeAsOne(ast, false)) return '#VALUE!';
    return { root: ast, step: stepOf({ univer, place, sizeOf }, ast as unknown as RunNode) };
  };
  return {
    univer,
    functionNames: () => [...functions.getExecutors().keys()].map(String),
    addCustom: (functionName) => {
      if (functions.hasExecutor(functionName)) return;
      // A formula that was parsed before did not know the function. No other is parsed again: Univer
      // changes the tokens of LET while it parses them, and keeps them.
      const isOfIt = new RegExp(`\\b${functionName}\\(`, 'i');
      for (const text of known.keys()) if (isOfIt.test(text)) known.delete(text);
      functions.registerExecutors(
        customFunction(univer, functionName, cellsOfFormula, () => current?.custom),
      );
    },
    parse: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const read = readFormula(text);
      known.set(text, read);
      return read;
    },
    run: (cells, ast, down, { sheetId, row, column }) => {
      const sheets = cells.sheets();
      if (current !== cells || sheetsRead !== sheets) {
        current = cells;
        sheetsRead = sheets;
        config.registerUnitData({
          [UNIT]: Object.fromEntries(
            sheets.map((sheet) => [sheet.id, sheetData(univer, cells, sheet)]),
          ),
        });
        config.registerSheetNameMap({
          [UNIT]: Object.fromEntries(sheets.map(({ id, name }) => [name, String(id)])),
        });
      }
      config.setExecuteUnitId(UNIT);
      config.setExecuteSubUnitId(String(sheetId));
      const { rowCount, columnCount } = sizeOf(sheetId);
      Object.assign(place, { row, column });
      runtime.setCurrent(row - 1, column - 1, rowCount, columnCount, String(sheetId), UNIT);
      // Clears what Univer remembers of cells: ranges and, for COUNTIF and similar functions, which
      // rows hold a value.
      univer.FORMULA_REF_TO_ARRAY_CACHE.clear();
      univer.CELL_INVERTED_INDEX_CACHE.clear();
      ast.step(down, { references: new Map(), values: new Map() });
      const found = ast.root.getValue() as BaseReferenceObject | BaseValueObject;
      const isReference = (found as BaseReferenceObject).isReferenceObject();
      const value = isReference ? (found as BaseReferenceObject).toArrayValueObject(false) : found;
      return value as BaseValueObject;
    },
  };
}

interface RunNode extends Node {
  readonly getChildren: () => RunNode[];
  readonly getValue: () => BaseReferenceObject | BaseValueObject | null | undefined;
  readonly setValue: (value: BaseReferenceObject | BaseValueObject) => void;
  readonly setRefOffset: (right: number, down: number) => void;
  readonly isEmptyParamFunction: () => boolean;
  execute: () => void;
}

const NUMBER_CONSTANT = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i;

/**
 * Evaluates constants once, because Univer checks each text in a formula for a date every time. It
 * takes "2026-01-05" in quotes for a date, and 1.50 and 1e3 for texts. In Sheets it is the other way
 * round.
 */
function readConstants(univer: FormulaUniver, node: RunNode): void {
  for (const child of node.getChildren()) readConstants(univer, child);
  if (node.nodeType !== VALUE_NODE) return;
  const token = node.getToken();
  node.execute();
  const read = node.getValue();
  const isText = token.length > 1 && token.startsWith('"') && token.endsWith('"');
  const isArray = read && !read.isReferenceObject() && (read as BaseValueObject).isArray();
  const value =
    isText && !isArray
      ? univer.StringValueObject.create(token.slice(1, -1))
      : NUMBER_CONSTANT.test(token)
        ? univer.NumberValueObject.create(Number(token))
        : read;
  if (value) node.execute = () => node.setValue(value);
}

/**
 * The single cells that one formula has read, so that each is read only once: as references and as
 * values.
 */
interface KnownCells {
  readonly references: Map<string, BaseReferenceObject>;
  readonly values: Map<string, BaseValueObject>;
}

interface StepParts {
  readonly univer: FormulaUniver;
  /** Of the formula that is being calculated. */
  readonly place: { row: number; column: number };
  readonly sizeOf: (sheetId: number) => {
    readonly rowCount: number;
    readonly columnCount: number;
  };
}

/** Calculates a node and those below it for the formula moved down by `down` rows. */
type Step = (down: number, known: KnownCells) => void;

/**
 * The functions of these operators are defined here and accept a single cell's value instead of a
 * reference.
 */
const TAKES_VALUES = /^(?:[-+*/&=]|<>|[<>]=?)$/;

/**
 * Calculates as Univer's interpreter does, except that an IF evaluates only the branch that is
 * taken, because most formulas consist of IFs.
 */
function stepOf(parts: StepParts, node: RunNode, takesValues = false): Step {
  const { univer } = parts;
  const token = node.getToken();
  if (node.nodeType === REFERENCE_NODE) return referenceStep(parts, node, takesValues);
  const isAlike = comparedPlaces(parts, node);
  if (isAlike) {
    const [yes, no] = [true, false].map((value) => univer.BooleanValueObject.create(value));
    return (down) => node.setValue((isAlike(down) ? yes : no) as BaseValueObject);
  }
  const takes = node.nodeType === OPERATOR_NODE && TAKES_VALUES.test(token);
  const isIf = node.nodeType === FUNCTION_NODE && token.toUpperCase() === 'IF';
  const children = node.getChildren();
  const steps = children.map((child): Step => {
    const isEmptyLambda =
      child.getToken().toUpperCase() === 'LAMBDA' && child.isEmptyParamFunction();
    return isEmptyLambda ? () => child.execute() : stepOf(parts, child, takes);
  });
  const all: Step = (down, known) => {
    for (const step of steps) step(down, known);
    node.execute();
    if (token === ':') refuseNowhere(parts, node);
  };
  const [condition, ...branches] = children;
  const [look, ...ways] = steps;
  if (!isIf || !condition || !look || branches.length === 0) return all;
  return (down, known) => {
    look(down, known);
    const taken = branchOf(univer, condition);
    const way = taken === null ? undefined : ways[taken];
    if (taken !== null && way) {
      way(down, known);
      const value = branches[taken]?.getValue();
      if (value) {
        node.setValue(value);
        return;
      }
    }
    all(down, known);
  };
}

const PLACE_FUNCTION = /^(?:ROW|COLUMN|SHEET)$/i;

/** A cell of the formula's own sheet. */
const OWN_CELL = /^\$?([A-Z]{1,3})(\$?)([1-9]\d*)$/i;

/** A row, a column or a sheet as one of these functions gives it for a single cell or none; null: it is another node. */
function placeIn({ place }: StepParts, node: RunNode): ((down: number) => number) | null {
  if (node.nodeType !== FUNCTION_NODE || !PLACE_FUNCTION.test(node.getToken())) return null;
  const axis = node.getToken().toUpperCase();
  const [cell, ...others] = node.getChildren();
  if (others.length > 0) return null;
  if (cell === undefined || cell.getToken() === '')
    return () => (axis === 'ROW' ? place.row : axis === 'COLUMN' ? place.column : 0);
  const [, letters = '', dollar, digits] = OWN_CELL.exec(cell.getToken()) ?? [];
  if (cell.nodeType !== REFERENCE_NODE || digits === undefined) return null;
  const [row, column] = [Number(digits), columnNumber(letters)];
  if (axis !== 'ROW') return () => (axis === 'COLUMN' ? column : 0);
  return (down) => (dollar === '$' ? row : row + down);
}

/** Whether two places are in one row, column or sheet, as "ROW(B5)=ROW()" asks; null: it is another node. */
function comparedPlaces(parts: StepParts, node: RunNode): ((down: number) => boolean) | null {
  if (node.nodeType !== OPERATOR_NODE || node.getToken() !== '=') return null;
  const [first, second] = node.getChildren();
  const one = first && placeIn(parts, first);
  const other = second && placeIn(parts, second);
  const isOne = first?.getToken().toUpperCase() === second?.getToken().toUpperCase();
  return one && other && isOne ? (down) => one(down) === other(down) : null;
}

/**
 * Whether a range is partly outside its sheet and larger than all of it. Univer makes one of a broken
 * reference, and would read a million blank rows.
 */
function isNowhere(reference: BaseReferenceObject, sizeOf: StepParts['sizeOf']): boolean {
  const { startRow, endRow, startColumn, endColumn } = reference.getRangePosition();
  const cells = (endRow - startRow + 1) * (endColumn - startColumn + 1);
  // Most references are to few cells, and are not looked at further.
  if (cells < 100_000) return false;
  const { rowCount, columnCount } = sizeOf(Number(reference.getSheetId()));
  return !(cells <= rowCount * columnCount);
}

function refuseNowhere({ univer, sizeOf }: StepParts, node: RunNode): void {
  const found = node.getValue();
  if (found?.isReferenceObject() && isNowhere(found as BaseReferenceObject, sizeOf))
    node.setValue(univer.ErrorValueObject.create(univer.ErrorType.REF));
}

/** Sheets' columns end at ZZZ. */
const NO_COLUMN = /(?:^|[!:])\$?[A-Z]{4,}\$?\d*(?::|$)/i;

function referenceStep(parts: StepParts, node: RunNode, takesValues: boolean): Step {
  const { univer } = parts;
  const token = node.getToken();
  // Univer takes "OtherA:A" for 300 million columns.
  if (NO_COLUMN.test(token)) {
    const unknown = univer.ErrorValueObject.create(univer.ErrorType.NAME);
    return () => node.setValue(unknown);
  }
  const below = node.getChildren().map((child) => stepOf(parts, child));
  const isRange = token.includes(':');
  const execute: Step = (down, known) => {
    for (const step of below) step(down, known);
    node.setRefOffset(0, down);
    node.execute();
    if (isRange) refuseNowhere(parts, node);
  };
  // Ranges are read each time, because LOOKUP may extend the one it is given.
  if (isRange || below.length > 0) return execute;
  return (down, known) => {
    const { references, values } = known;
    const before = (takesValues ? values : references).get(token);
    if (before) {
      node.setValue(before);
      return;
    }
    execute(down, known);
    const found = node.getValue() as BaseReferenceObject | null | undefined;
    if (!found?.isReferenceObject()) return;
    references.set(token, found);
    if (!takesValues) return;
    const value = single(univer, found.toArrayValueObject(false));
    values.set(token, value);
    node.setValue(value);
  };
}

/** The branch that follows from the condition. null: the condition is not a single truth value. */
function branchOf(univer: FormulaUniver, condition: RunNode): 0 | 1 | null {
  const found = condition.getValue();
  if (!found || (found as BaseReferenceObject).isReferenceObject()) return null;
  const value = single(univer, found as BaseValueObject);
  if (!value.isBoolean()) return null;
  return value.getValue() ? 0 : 1;
}

/** A sheet as Univer's engine reads it, cell by cell, from any source of cells. */
function sheetData(
  univer: FormulaUniver,
  { read }: FormulaCells,
  { id, maxRows, maxColumns }: ReturnType<FormulaCells['sheets']>[number],
) {
  const { BOOLEAN, NUMBER, STRING } = univer.CellValueType;
  const kinds = { boolean: BOOLEAN, number: NUMBER, string: STRING };
  const EMPTY_TEXT = { v: '', t: STRING, f: '=' };
  const getValue = (row: number, column: number) => {
    const value = row < maxRows && column < maxColumns ? read(id, row + 1, column + 1) : null;
    if (value === null) return undefined;
    // Without a formula, an empty text is a blank to Univer.
    if (value === '') return EMPTY_TEXT;
    const shown = typeof value === 'boolean' ? Number(value) : value;
    return { v: shown, t: kinds[typeof value as keyof typeof kinds] };
  };
  return {
    cellData: { getValue } as never,
    rowCount: maxRows,
    columnCount: maxColumns,
    rowData: {},
    columnData: {},
  };
}

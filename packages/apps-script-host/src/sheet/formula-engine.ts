// Works out one formula of a spreadsheet, by Univer's engine and Sheets' rules.

import type {
  BaseAstNode,
  BaseReferenceObject,
  BaseValueObject,
  LexerNode,
} from '@univerjs/preset-sheets-node-core';
import { type FormulaUniver, loadFormulaUniver } from '../univer-bundle';
import { moveDown, replaceOpenRanges } from './formula-references';
import { type Surroundings, sheetsFunctions, single } from './native-functions';

/** What a formula comes to in a cell; an error is its text, null leaves the cell blank. */
export type Outcome = string | number | boolean | null;

export interface EvaluatedFormula {
  /** At least one row and column; more fill the cells beside and below. */
  readonly rows: readonly (readonly Outcome[])[];
  /** The number format that comes with the value, such as a date's. */
  readonly format?: string;
}

export interface FormulaCells extends Surroundings {
  readonly sheets: () => readonly {
    readonly id: number;
    readonly name: string;
    readonly maxRows: number;
    readonly maxColumns: number;
  }[];
  /** null: blank. A date is its serial number. Rows and columns count from 1. */
  readonly read: (sheetId: number, row: number, column: number) => Outcome;
}

export interface FormulaEngine {
  readonly evaluate: (
    formula: string,
    place: { readonly sheetId: number; readonly row: number; readonly column: number },
  ) => EvaluatedFormula;
}

/** Formulas that differ by their row alone are read once, as if they stood so far down. */
const BASE_ROW = 1_000_000;

const UNIT = 'book';

/** Univer's kinds of nodes. */
const VALUE_NODE = 2;
const OPERATOR_NODE = 3;
const REFERENCE_NODE = 1;
const FUNCTION_NODE = 4;

/** Within them, and only there, an operator or a function of one value takes a range cell by cell. */
const ARRAY_FUNCTIONS =
  /^(ARRAYFORMULA|SUMPRODUCT|FILTER|SORT|SORTN|UNIQUE|INDEX|MAP|BYROW|BYCOL|REDUCE|SCAN|MAKEARRAY)$/i;
const ONE_VALUE_FUNCTIONS =
  /^(IF|IFS|NOT|ISNUMBER|ISBLANK|ISTEXT|ISERROR|ROUND|ROUNDUP|ROUNDDOWN|FLOOR|ABS|TEXT|FIXED|LEN|VALUE)$/i;

/** Texts, names of sheets, brackets and what parts their contents. */
const PART = /"(?:[^"]|"")*"|'(?:[^']|'')*'|[\s\S]/g;

/** In Sheets braces may hold any expression, in Univer constants alone: those are stacked by name. */
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

interface Engine {
  readonly univer: FormulaUniver;
  /** Or the error that the formula is, whatever the cells. */
  readonly parse: (text: string) => BaseAstNode | string;
  readonly run: (
    cells: FormulaCells,
    ast: BaseAstNode,
    down: number,
    sheetId: number,
  ) => BaseValueObject;
}

let loaded: Engine | null = null;

export function createFormulaEngine(cells: FormulaCells): FormulaEngine {
  loaded ??= loadEngine();
  const { univer, parse, run } = loaded;
  return {
    evaluate: (formula, { sheetId, row }) => {
      const rowsIn = (prefix: string) => {
        const name = prefix
          .replace(/^'|'?!$/g, '')
          .replaceAll("''", "'")
          .toLowerCase();
        const isMeant = (one: { id: number; name: string }) =>
          name === '' ? one.id === sheetId : one.name.toLowerCase() === name;
        return cells.sheets().find(isMeant)?.maxRows ?? 0;
      };
      const whole = stacked(formula);
      const closed = replaceOpenRanges(whole, ({ text, prefix }) => `${text}$${rowsIn(prefix)}`);
      const isOpen = closed !== whole;
      const read = parse(isOpen ? closed : moveDown(closed, BASE_ROW - row));
      if (typeof read === 'string') return { rows: [[read]] };
      return evaluated(univer, run(cells, read, isOpen ? 0 : row - BASE_ROW, sheetId));
    },
  };
}

/**
 * Whether the formula counts on what Excel does without being asked: Sheets takes of the range the
 * cell in the formula's own row there, which nobody means. It is an error here.
 */
function takesRangeAsOne(node: Node, isArray: boolean): boolean {
  const token = node.getToken();
  const inArray = isArray || ARRAY_FUNCTIONS.test(token);
  const isOneValue = node.nodeType === OPERATOR_NODE || ONE_VALUE_FUNCTIONS.test(token);
  return node.getChildren().some((child: Node) => {
    const isRange = child.nodeType !== VALUE_NODE && child.getToken().includes(':');
    return (isRange && isOneValue && !inArray) || takesRangeAsOne(child, inArray);
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
  return { rows: whole.getArrayValue().map((row) => row.map((cell) => outcome(cell ?? null))) };
}

function outcome(value: BaseValueObject | null): Outcome {
  if (value === null || value.isNull()) return null;
  if (value.isError()) {
    const error = (value as unknown as { getErrorType: () => string }).getErrorType();
    // FILTER without a match: Excel's word for it, and Sheets'.
    return error === '#CALC!' ? '#N/A' : error;
  }
  const plain = value.getValue();
  return typeof plain === 'number' && !Number.isFinite(plain) ? '#NUM!' : (plain as Outcome);
}

/** One for the whole process; whose cells it reads is said anew for each formula. */
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
  functions.registerExecutors(
    ...sheetsFunctions(
      univer,
      (name) => functions.getExecutor(name) ?? undefined,
      () => {
        if (current === null) throw new Error('A formula is worked out for some cells.');
        return current;
      },
    ),
  );
  const known = new Map<string, BaseAstNode | string>();
  const readFormula = (text: string): BaseAstNode | string => {
    const tree = lexer.treeBuilder(text);
    // A word of Univer's for an error in place of a tree.
    if (typeof tree === 'string') return '#ERROR!';
    const ast = builder.parse(tree as LexerNode) as BaseAstNode | undefined;
    if (!ast) return '#ERROR!';
    readConstants(ast as unknown as RunNode);
    return takesRangeAsOne(ast, false) ? '#VALUE!' : ast;
  };
  return {
    univer,
    parse: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const read = readFormula(text);
      known.set(text, read);
      return read;
    },
    run: (cells, ast, down, sheetId) => {
      current = cells;
      const sheets = cells.sheets();
      config.registerUnitData({
        [UNIT]: Object.fromEntries(
          sheets.map((sheet) => [sheet.id, sheetData(univer, cells, sheet)]),
        ),
      });
      config.registerSheetNameMap({
        [UNIT]: Object.fromEntries(sheets.map(({ id, name }) => [name, String(id)])),
      });
      config.setExecuteUnitId(UNIT);
      config.setExecuteSubUnitId(String(sheetId));
      runtime.setCurrent(0, 0, BASE_ROW, 0, String(sheetId), UNIT);
      // What it remembers of cells: ranges, and for COUNTIF and its kin which rows hold a value.
      univer.FORMULA_REF_TO_ARRAY_CACHE.clear();
      univer.CELL_INVERTED_INDEX_CACHE.clear();
      execute(univer, ast as unknown as RunNode, down);
      const found = ast.getValue() as BaseReferenceObject | BaseValueObject;
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

/** Univer asks of each text in a formula, each time, whether it is a date. */
function readConstants(node: RunNode): void {
  for (const child of node.getChildren()) readConstants(child);
  if (node.nodeType !== VALUE_NODE) return;
  node.execute();
  const value = node.getValue();
  if (value) node.execute = () => node.setValue(value);
}

/** As Univer's interpreter, but of an IF only the branch that is taken: formulas are mostly IFs. */
function execute(univer: FormulaUniver, node: RunNode, down: number): void {
  const children = node.getChildren();
  if (
    node.nodeType === FUNCTION_NODE &&
    node.getToken().toUpperCase() === 'IF' &&
    children.length > 1
  ) {
    const [condition, ...branches] = children as [RunNode, ...RunNode[]];
    execute(univer, condition, down);
    const taken = branchOf(univer, condition, branches);
    if (taken) {
      execute(univer, taken, down);
      const value = taken.getValue();
      if (value) {
        node.setValue(value);
        return;
      }
    }
  }
  for (const child of children) {
    if (child.getToken().toUpperCase() === 'LAMBDA' && child.isEmptyParamFunction())
      child.execute();
    else execute(univer, child, down);
  }
  if (node.nodeType === REFERENCE_NODE) node.setRefOffset(0, down);
  node.execute();
}

/** null: the condition is no lone truth value, or there is no such branch. */
function branchOf(
  univer: FormulaUniver,
  condition: RunNode,
  [then, otherwise]: readonly RunNode[],
): RunNode | null {
  const found = condition.getValue();
  if (!found || (found as BaseReferenceObject).isReferenceObject()) return null;
  const value = single(univer, found as BaseValueObject);
  if (!value.isBoolean()) return null;
  return (value.getValue() ? then : otherwise) ?? null;
}

/** A sheet as Univer's engine reads it: cell by cell, from wherever the cells are. */
function sheetData(
  univer: FormulaUniver,
  { read }: FormulaCells,
  { id, maxRows, maxColumns }: ReturnType<FormulaCells['sheets']>[number],
) {
  const { BOOLEAN, NUMBER, STRING } = univer.CellValueType;
  const kinds = { boolean: BOOLEAN, number: NUMBER, string: STRING };
  const getValue = (row: number, column: number) => {
    const value = row < maxRows && column < maxColumns ? read(id, row + 1, column + 1) : null;
    if (value === null) return undefined;
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

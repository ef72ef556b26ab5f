// One spreadsheet in Univer without a browser, with Sheets' functions and with custom ones that a
// script answers.
import type { ICommandService, Injector, IWorkbookData } from '@univerjs/core';
import type { FWorkbook } from '@univerjs/preset-sheets-node-core';
import { replaceOpenRanges } from 'apps-script-host/sheet/formula-references';
import { googleFunctions, NOT_IN_SHEETS } from 'apps-script-host/sheet/google-functions';
import { replaceNames } from 'apps-script-host/sheet/named-cells';
import { sheetsFunctions } from 'apps-script-host/sheet/native-functions';
import { loadUniver, type UniverEngine } from 'apps-script-host/univer-bundle';
import { type AnswerCell, cellFunction } from './cell-function';
import { dates } from './sheet-dates';
import { tellBlanks } from './univer-blanks';
import { type Calculation, takeOverCalculation } from './univer-calculation';

export interface UniverWorkbook {
  readonly univer: UniverEngine;
  readonly injector: Injector;
  readonly commands: ICommandService;
  readonly workbook: FWorkbook;
  readonly calculation: Calculation;
  readonly dispose: () => void;
}

export interface UniverWorkbookOptions {
  readonly data: Partial<IWorkbookData> & { readonly id: string };
  readonly functionNames: readonly string[];
  readonly answer: AnswerCell;
  /** The clock of NOW(). */
  readonly nowMs?: () => number;
}

/**
 * All workbooks of a process share Univer's cache of parsed formulas, which distinguishes them by
 * their ids.
 */
let opened = 0;

export function openUniverWorkbook(options: UniverWorkbookOptions): UniverWorkbook {
  const engine = loadUniver();
  tellBlanks(engine);
  const univer = new engine.Univer({
    locale: engine.LocaleType.EN_US,
    locales: { [engine.LocaleType.EN_US]: engine.EN_US },
    logLevel: engine.LogLevel.ERROR,
  });
  for (const plugin of engine.UniverSheetsNodeCorePreset().plugins) {
    if (Array.isArray(plugin)) univer.registerPlugin(plugin[0], plugin[1]);
    else univer.registerPlugin(plugin);
  }
  const api = engine.FUniver.newAPI(univer);
  opened += 1;
  const unitId = `${options.data.id}-${opened}`;
  const workbook = api.createWorkbook({ ...options.data, id: unitId });
  const injector = univer.__getInjector();
  const functions = injector.get(engine.IFunctionService);
  const { nowMs = Date.now } = options;
  const surroundings = {
    nowSerial: () => dates.toSerial(new Date(nowMs())),
    quote: () => null,
  };
  const executor = (name: string) => functions.getExecutor(name) ?? undefined;
  const formulas = injector.get(engine.FormulaDataModel);
  const texts = {
    sheets: () => workbook.getSheets().map((tab) => ({ id: tab.getSheetId() })),
    formulaAt: (id: string, row: number, column: number) => {
      const [down, right] = [row - 1, column - 1];
      const sheet = workbook.getWorkbook().getSheetBySheetId(id);
      const cell = sheet?.getCellMatrix().getValue(down, right);
      if (cell?.f == null && cell?.si == null) return '';
      return cell.f ?? formulas.getFormulaStringByCell(down, right, id, unitId) ?? '';
    },
  };
  functions.unregisterExecutors(...NOT_IN_SHEETS);
  functions.registerExecutors(...sheetsFunctions(engine, executor, () => surroundings));
  functions.registerExecutors(
    ...googleFunctions(engine, executor, () => texts),
    ...options.functionNames.map((name) => cellFunction(engine, name, options.answer)),
  );
  readFormulas(engine, injector, unitId);
  const commands = injector.get(engine.ICommandService);
  const calculation = takeOverCalculation(engine, injector, unitId);
  return {
    univer: engine,
    injector,
    commands,
    workbook,
    calculation,
    dispose: () => {
      calculation.dispose();
      univer.dispose();
    },
  };
}

/** Some lists with all their formulas. */
const PARSED_MAX = 30_000;

/** Univer turns a LET into a LAMBDA. */
const HAS_PARAMETERS = /\b(LET|LAMBDA)\s*\(/i;

/**
 * Replaces names and open ranges only while a formula is parsed, so the formula stays as written and the
 * sheet may grow. Univer caches parsed trees by their text, and changes trees with parameters while
 * it parses them. If such a tree is parsed again, its parameters have no values. Univer does so
 * when names, tables or new functions may have changed a formula, so trees with parameters are
 * never taken from the cache. Univer's own way with names damages texts in the formula, such as "US".
 */
function readFormulas(engine: UniverEngine, injector: Injector, unitId: string): void {
  const { IDefinedNamesService, Lexer, LexerTreeBuilder } = engine;
  const names = injector.get(IDefinedNamesService);
  const lexer = injector.get(Lexer);
  const trees = injector.get(LexerTreeBuilder);
  const read = lexer.treeBuilder.bind(lexer);
  const addressOf = (name: string): string | undefined =>
    names.getValueByName(unitId, name)?.formulaOrRefString;
  const withoutNames = (formula: string): string =>
    replaceOpenRanges(replaceNames(formula, addressOf), ({ prefix, from, to, firstRow }) => {
      const columns = `${prefix}${from}:${to}`;
      const above = firstRow - 1;
      return above === 0 ? columns : `OFFSET(${columns},${above},0,ROWS(${columns})-${above})`;
    });
  // Univer's own cache holds 2,000, which is less than a list has formulas, and is cleared with each formula that has parameters.
  const parsed = new Map<string, ReturnType<typeof read>>();
  lexer.treeBuilder = (formula, isWhole = true) => {
    const text = withoutNames(formula);
    if (HAS_PARAMETERS.test(formula)) {
      // The only effect of this call is to clear the cache.
      trees.dispose();
      return read(text, isWhole);
    }
    const known = isWhole ? parsed.get(text) : undefined;
    if (known !== undefined) return known;
    const tree = read(text, isWhole);
    if (parsed.size >= PARSED_MAX) parsed.clear();
    if (isWhole) parsed.set(text, tree);
    return tree;
  };
}

// The spreadsheet in the browser: a Univer view of the sheet that the server holds.
import {
  CommandType,
  ICommandService,
  type IWorkbookData,
  LocaleType,
  Univer,
} from '@univerjs/core';
import { FUniver } from '@univerjs/core/facade';
import {
  FunctionType,
  IDescriptionService,
  type ISetSelectionsOperationParams,
  SelectionMoveType,
  SetSelectionsOperation,
  UniverFormulaEnginePlugin,
  UniverSheetsCorePreset,
} from '@univerjs/preset-sheets-core';
import EN_US from '@univerjs/preset-sheets-core/locales/en-US';
import type {
  Area,
  FunctionHelp,
  Mutation,
  MutationOptions,
  Selection,
  Welcome,
} from '../protocol';

export interface Grid {
  readonly api: FUniver;
  readonly univer: Univer;
  /** Repeats a change that was made elsewhere. */
  readonly replay: (mutation: Mutation) => void;
  /** Shows the cells that a script has selected. */
  readonly select: (selection: Selection) => void;
  /** Reports what is selected here, by any means. */
  readonly onSelect: (listener: (selection: Selection) => void) => void;
  /** Reports changes made here. */
  readonly onChange: (listener: (mutation: Mutation) => void) => void;
}

const NEW_SHEET = 'sheet.mutation.insert-sheet';

/** Marks a change that came from the server, so that it is not sent back. */
interface ReplayOptions extends MutationOptions {
  readonly remote?: true;
}

/** `onReady` is called when Univer draws and listens. Typing before that makes it fail. */
export function createGrid(container: HTMLElement, welcome: Welcome, onReady: () => void): Grid {
  const univer = new Univer({
    locale: LocaleType.EN_US,
    locales: { [LocaleType.EN_US]: EN_US },
  });
  const preset = UniverSheetsCorePreset({
    container,
    header: true,
    toolbar: false,
    formulaBar: true,
    contextMenu: true,
    footer: { sheetBar: true, statisticBar: true, menus: false, zoomSlider: true },
  });
  for (const plugin of preset.plugins) {
    const [kind, config] = Array.isArray(plugin) ? plugin : [plugin, undefined];
    // Univer's formula engine is disabled here, because the server calculates and must be the only
    // one.
    const still = kind === UniverFormulaEnginePlugin ? { notExecuteFormula: true } : {};
    univer.registerPlugin(kind, { ...config, ...still });
  }
  const api = FUniver.newAPI(univer);
  api.addEvent(api.Event.LifeCycleChanged, ({ stage }) => {
    if (stage === api.Enum.LifecycleStages.Rendered) onReady();
  });
  api.createWorkbook(welcome.workbook as IWorkbookData);
  const injector = univer.__getInjector();
  describeFunctions(injector.get(IDescriptionService), welcome.functions);
  const commands = injector.get(ICommandService);
  const replay = ({ id, params, options }: Mutation): void => {
    // Univer brings a new sheet into view, unless the change is marked as another person's.
    commands.syncExecuteCommand(id, params, {
      ...options,
      remote: true,
      fromCollab: id === NEW_SHEET,
    });
  };
  replay(welcome.spills);
  return {
    api,
    univer,
    replay,
    select: (selection) => {
      const workbook = api.getActiveWorkbook();
      const sheet = workbook?.getSheetBySheetId(selection.sheetId);
      if (!workbook || !sheet) return;
      workbook.setActiveSheet(sheet);
      const params: ISetSelectionsOperationParams = {
        unitId: workbook.getId(),
        subUnitId: selection.sheetId,
        selections: selection.areas.map((area, place) => ({
          range: area,
          primary: place === selection.areas.length - 1 ? firstCell(area) : null,
          style: null,
        })),
        // Scrolls to the selection, as Sheets does when a script activates a range.
        reveal: true,
      };
      commands.syncExecuteCommand(SetSelectionsOperation.id, params);
    },
    onSelect: (listener) => {
      // Univer's own event for this misses mouse selections before the first key press.
      commands.onCommandExecuted(({ id, params }) => {
        if (id !== SetSelectionsOperation.id) return;
        const { subUnitId, selections, type } = params as ISetSelectionsOperationParams;
        if (type === SelectionMoveType.MOVING || selections.length === 0) return;
        const areas = selections.map(({ range }) => areaOf(range));
        listener({ sheetId: subUnitId, areas });
      });
    },
    onChange: (listener) => {
      commands.onCommandExecuted(({ id, type, params }, options: ReplayOptions = {}) => {
        if (type !== CommandType.MUTATION || !id.startsWith('sheet.')) return;
        if (options.remote || options.onlyLocal) return;
        listener({ id, params: params ?? {}, options });
      });
    },
  };
}

function areaOf({ startRow, endRow, startColumn, endColumn }: Area): Area {
  return { startRow, endRow, startColumn, endColumn };
}

/** The cell with the cursor. */
function firstCell({ startRow, startColumn }: Area) {
  return {
    startRow,
    endRow: startRow,
    startColumn,
    endColumn: startColumn,
    actualRow: startRow,
    actualColumn: startColumn,
    isMerged: false,
    isMergedMainCell: false,
  };
}

/** Autocompletion and parameter hints, as Sheets makes them from the functions' comments. */
function describeFunctions(service: IDescriptionService, functions: readonly FunctionHelp[]): void {
  service.registerDescriptions(
    functions.map(({ name, description, parameters }) => ({
      functionName: name,
      functionType: FunctionType.User,
      description,
      abstract: description,
      functionParameter: parameters.map((parameter) => ({
        name: parameter.name,
        detail: parameter.description,
        example: parameter.example,
        // Sheets does not show optional parameters either.
        require: 1,
        repeat: 0,
      })),
    })),
  );
}

// SpreadsheetApp's host half: an execution's document, the permissions for its calls, and its view.

import type { HostDocument } from '../../document';
import { say } from '../../messages';
import type { AuthMode, Caller, HostHalf, Operations, Permission, World } from '../../service';
import { ServiceException } from '../../service';
import { fromR1C1Address, parseAddress, toA1 } from '../../sheet/a1-notation';
import { featuresOf } from '../../sheet/book-features';
import type { Selection, SheetModel } from '../../sheet/model';
import { createPlainGrid } from '../../sheet/plain-grid';
import { servedPage } from '../html';
import type {
  BookFacts,
  EntryCalls,
  Place,
  PlaceCalls,
  ScreenCalls,
  SpreadsheetCalls,
  TabCalls,
} from './calls';
import { createCellsFirst } from './cells-first';
import { chartOperations } from './chart';
import { checkPlace, checkSheet, documentOf, modelOf } from './host-book';
import { cellOperations, createTypeIn } from './host-cells';
import { featureOperations } from './host-features';
import { groupOperations } from './host-groups';
import { lookOperations } from './host-looks';
import { markOperations } from './host-marks';
import { moveOperations } from './host-moves';
import { sheetOperations, type TabOperations, tabOperations } from './host-sheets';
import { createWriteBuffer } from './write-buffer';

const ANY_SPREADSHEET = 'https://www.googleapis.com/auth/spreadsheets';
const THIS_SPREADSHEET = [
  'https://www.googleapis.com/auth/spreadsheets.currentonly',
  ANY_SPREADSHEET,
];
const CONTAINER_UI = ['https://www.googleapis.com/auth/script.container.ui'];

const READERS: readonly AuthMode[] = ['LIMITED', 'CUSTOM_FUNCTION', 'FULL'];
const WRITERS: readonly AuthMode[] = ['LIMITED', 'FULL'];
const EVERYBODY: readonly AuthMode[] = ['NONE', 'LIMITED', 'CUSTOM_FUNCTION', 'FULL'];

/** Users' addresses are user data, which only full authorisation provides. */
const ABOUT_USERS: readonly string[] = ['spreadsheet.read.getOwner', 'spreadsheet.read.getEditors'];

type Operation = keyof SpreadsheetCalls & string;

/** A refusal names only the method of an object, but the full name of a function of the service. */
function permission(operation: Operation): Permission {
  const callName = operation.split('.').at(-1) ?? operation;
  switch (operation) {
    case 'spreadsheet.openById':
    case 'spreadsheet.openByUrl':
    case 'spreadsheet.create':
      return {
        callName: `SpreadsheetApp.${callName}`,
        modes: ['FULL'],
        anyScope: [ANY_SPREADSHEET],
      };
    case 'spreadsheet.getUi':
    case 'spreadsheet.addMenu':
      return { callName: `SpreadsheetApp.${callName}`, modes: EVERYBODY };
    case 'spreadsheet.alert':
    case 'spreadsheet.choose':
      return { callName: 'Ui.alert', modes: ['FULL'] };
    case 'spreadsheet.prompt':
      return { callName: 'Ui.prompt', modes: ['FULL'] };
    case 'spreadsheet.showModalDialog':
    case 'spreadsheet.showSidebar':
      return { callName: `Ui.${callName}`, modes: ['FULL'], anyScope: CONTAINER_UI };
    case 'spreadsheet.toast':
      return { callName, modes: WRITERS };
    default:
      if (operation.startsWith('spreadsheet.write.')) return { callName, modes: WRITERS };
      if (ABOUT_USERS.includes(operation)) return { callName, modes: ['FULL'] };
      if (operation.startsWith('spreadsheet.read.')) return { callName, modes: READERS };
      return { callName: `SpreadsheetApp.${callName}`, modes: READERS, anyScope: THIS_SPREADSHEET };
  }
}

export function createSpreadsheetAppHost(world: World): HostHalf<SpreadsheetCalls> {
  const typeIn = createTypeIn(world);
  const view = createView();
  const cellsFirst = createCellsFirst();
  const buffer = createWriteBuffer(world);
  return {
    operations: cellsFirst.over(
      buffer.over({
        ...entryOperations(world),
        ...screenOperations(world),
        ...view.showsNew(tabOperations(world)),
        ...view.operations,
        ...placeOperations(view.selection),
        ...documentOperations(),
        ...cellOperations(typeIn),
        ...groupOperations(),
        ...moveOperations(typeIn, world.random('spreadsheet.randomize')),
        ...sheetOperations(typeIn),
        ...markOperations(world),
        ...lookOperations(),
        ...chartOperations(),
        ...featureOperations(),
      }),
    ),
    permission,
    shown: (_operation, [first, ...rest]) => [shown(first), ...rest.map(shown)].join(' ').trim(),
    cells,
    started: cellsFirst.started,
    ended: (caller, ended) => {
      buffer.ended(caller, ended);
      view.forget(caller);
      cellsFirst.ended(caller);
    },
  };
}

/** Places and numbers may appear in a trace, contents may not. */
function shown(arg: unknown): string {
  if (typeof arg === 'number') return String(arg);
  if (typeof arg !== 'object' || arg === null || !('rowCount' in arg)) return '';
  const place = arg as Place;
  return `${place.sheetId}!${toA1(place)}`;
}

function cells([first]: readonly unknown[]): number {
  if (typeof first !== 'object' || first === null || !('rowCount' in first)) return 0;
  const { rowCount, columnCount } = first as Place;
  return rowCount * columnCount;
}

function entryOperations({ documents, onDocument, manifest }: World): Operations<EntryCalls> {
  const facts = ({ id, name }: HostDocument, own: HostDocument | null): BookFacts => ({
    id,
    name,
    isElsewhere: id !== own?.id,
  });
  const open = (caller: Caller, told: string, isMeant: (id: string) => boolean): BookFacts => {
    const document = [...documents.values()].find(({ id }) => isMeant(id));
    if (document === undefined) throw new ServiceException(say('spreadsheet-gone', told));
    if (![document.ownerEmail, ...document.editors].includes(caller.userEmail))
      throw new ServiceException(say('spreadsheet-refused'));
    return facts(document, caller.document);
  };
  return {
    'spreadsheet.getActiveSpreadsheet': ({ document }) => document && facts(document, document),
    'spreadsheet.openById': (caller, id) => open(caller, id, (each) => each === id),
    'spreadsheet.openByUrl': (caller, url) =>
      open(caller, url, (each) => `${url}/`.includes(`/d/${each}/`)),
    'spreadsheet.create': (caller, name, rows, columns) => {
      const model = createPlainGrid({
        timeZone: manifest.timeZone,
        ...(rows > 0 && { maxRows: rows }),
        ...(columns > 0 && { maxColumns: columns }),
      });
      const id = `spreadsheet-${documents.size + 1}`;
      const document = { id, name, ownerEmail: caller.userEmail, editors: [], model };
      documents.set(id, document);
      onDocument(document);
      return facts(document, caller.document);
    },
    // Waiting writes are performed before a flush comes here.
    'spreadsheet.flush': () => {},
  };
}

function screenOperations({ screen, scriptCut }: World): Operations<ScreenCalls> {
  return {
    'spreadsheet.getUi': ({ door, authMode, document }) => {
      const hasScreen = door !== 'cell' && door !== 'clock' && authMode !== 'CUSTOM_FUNCTION';
      if (hasScreen && document) return;
      throw new ServiceException(say('no-screen', 'SpreadsheetApp.getUi()'));
    },
    'spreadsheet.addMenu': (caller, menu) => screen.onMenu(menu, caller),
    'spreadsheet.showSidebar': (caller, html, title) =>
      screen.onSidebar(servedPage(html, scriptCut), title, caller),
    'spreadsheet.showModalDialog': (caller, html, title) =>
      screen.onDialog(servedPage(html, scriptCut), title, caller),
    'spreadsheet.alert': (caller, message, title) => screen.onAlert(message, title, caller),
    'spreadsheet.choose': (caller, dialog) => screen.onQuestion(dialog, caller),
    'spreadsheet.prompt': (caller, dialog) => screen.onQuestion(dialog, caller),
    'spreadsheet.toast': (caller, message, title) => screen.onToast(message, title, caller),
  };
}

type DocumentMethod = 'getSpreadsheetLocale' | 'getSpreadsheetTimeZone' | 'getOwner' | 'getEditors';

function documentOperations(): Pick<Operations<TabCalls>, `spreadsheet.read.${DocumentMethod}`> {
  return {
    'spreadsheet.read.getSpreadsheetLocale': (caller) => modelOf(caller).locale(),
    'spreadsheet.read.getSpreadsheetTimeZone': (caller) => modelOf(caller).timeZone(),
    'spreadsheet.read.getOwner': (caller) => documentOf(caller).ownerEmail,
    'spreadsheet.read.getEditors': (caller) => {
      const { ownerEmail, editors } = documentOf(caller);
      return [...new Set([ownerEmail, ...editors])];
    },
  };
}

const FIRST_CELL = { row: 1, column: 1, rowCount: 1, columnCount: 1 };

type ViewOperations = Omit<
  Operations<TabCalls>,
  keyof TabOperations | `spreadsheet.read.${DocumentMethod}`
>;

/**
 * The selection: the user's own, or for a clock's execution, which has no screen, one of its own.
 */
function createView() {
  const ofClocks = new Map<number, Selection>();
  const selection = (caller: Caller): Selection => {
    const model = modelOf(caller);
    if (caller.door === 'cell') {
      // Which sheet "is active" in a cell no page says. Users read their own sheet and cell there.
      const { cell } = caller;
      if (cell === null)
        throw new ServiceException('Which cell is active is not emulated without a cell');
      const { sheetId, row, column } = cell;
      return { sheetId, rectangle: { row, column, rowCount: 1, columnCount: 1 } };
    }
    if (caller.door !== 'clock') return model.selection();
    const sheetId = model.sheets()[0]?.id ?? Number.NaN;
    return ofClocks.get(caller.executionId) ?? { sheetId, rectangle: FIRST_CELL };
  };
  const selectAll = (caller: Caller, places: readonly Place[]) => {
    const model = modelOf(caller);
    for (const place of places) checkPlace(model, place);
    const rectangles = places.map(({ sheetId: _, ...rectangle }) => rectangle);
    const [sheetId, rectangle] = [places[0]?.sheetId, rectangles.pop()];
    if (sheetId === undefined || !rectangle) throw new ServiceException(say('range-gone'));
    const others = rectangles.length > 0 ? { others: rectangles } : {};
    if (caller.door === 'clock')
      ofClocks.set(caller.executionId, { sheetId, rectangle, ...others });
    else model.select({ sheetId, rectangle, ...others });
  };
  const select = (caller: Caller, place: Place) => selectAll(caller, [place]);
  const operations: ViewOperations = {
    'spreadsheet.getActiveRange': (caller) => {
      const { sheetId, rectangle } = selection(caller);
      return { sheetId, ...rectangle };
    },
    'spreadsheet.getActiveRangeList': (caller) => {
      const { sheetId, rectangle, others = [] } = selection(caller);
      return [...others, rectangle].map((each) => ({ sheetId, ...each }));
    },
    'spreadsheet.write.setActiveRange': select,
    'spreadsheet.write.setActiveRangeList': selectAll,
    'spreadsheet.write.setActiveSheet': (caller, sheetId) => {
      checkSheet(modelOf(caller), sheetId);
      if (selection(caller).sheetId !== sheetId) select(caller, { sheetId, ...FIRST_CELL });
    },
  };
  return {
    selection,
    operations,
    /** Google's insertSheet: "the new sheet becomes the active sheet". */
    showsNew: (tabs: TabOperations): TabOperations => ({
      ...tabs,
      'spreadsheet.write.insertSheet': (caller, name, position) => {
        const sheetId = tabs['spreadsheet.write.insertSheet'](caller, name, position);
        if (typeof sheetId === 'number') select(caller, { sheetId, ...FIRST_CELL });
        return sheetId;
      },
    }),
    forget: ({ executionId }: Caller) => {
      ofClocks.delete(executionId);
    },
  };
}

/** The cells that a user has given this name, whatever case it is in. null: nobody has. */
function placeOfName(model: SheetModel, name: string): Place | null {
  const isMeant = (each: { readonly name: string }) =>
    each.name.toLowerCase() === name.toLowerCase();
  const named = featuresOf(model).names().find(isMeant);
  return named?.rectangle ? { sheetId: named.sheetId, ...named.rectangle } : null;
}

function placeOperations(selection: (caller: Caller) => Selection): Operations<PlaceCalls> {
  return {
    'spreadsheet.getRange': (caller, place) => checkPlace(modelOf(caller), place),
    'spreadsheet.getRangeByNotation': (caller, ownSheetId, notation) => {
      const model = modelOf(caller);
      // Reference of Sheet.getRange: "A1 notation or R1C1 notation".
      const address = parseAddress(fromR1C1Address(notation.replace(/^!/, '')));
      const namedCells = address === null ? placeOfName(model, notation) : null;
      if (namedCells !== null) {
        checkPlace(model, namedCells);
        return namedCells;
      }
      const named = model.sheets().find((tab) => tab.name === address?.sheetName)?.id ?? null;
      const own = ownSheetId ?? selection(caller).sheetId;
      const sheetId = address?.sheetName == null ? own : named;
      if (!address || sheetId === null) throw new ServiceException(say('range-gone'));
      checkSheet(model, sheetId);
      const { open } = address;
      const place = {
        sheetId,
        ...address.within(model.size(sheetId)),
        ...(open.length > 0 && { open }),
      };
      checkPlace(model, place);
      return place;
    },
  };
}

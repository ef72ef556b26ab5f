// Keeps the pages that are open in browsers: sends them changes and acts on their messages.

import type { Outcome } from 'apps-script-host/host';
import type { Screen, ScreenMenu } from 'apps-script-host/service';
import type { Selection } from 'apps-script-host/sheet/model';
import { ADD_ON_NAME } from '../../src/failures/add-on-name';
import { readDeclaredFunctions, readFunctionHelp } from './function-help';
import type { PageListener } from './page-server';
import { OWNER_EMAIL, type Playground, SECOND_EMAIL } from './playground';
import type {
  Circumstances,
  FromPage,
  FromServer,
  Mutation,
  Selection as PageSelection,
  Welcome,
} from './protocol';
import { followLooks } from './sheet-looks';
import { shareSheet } from './sheet-sharing';
import type { UniverModel } from './univer-model';

type Send = (message: FromServer) => void;

export interface OpenPages {
  /** Shows in the pages what scripts show to the person at the keyboard. */
  readonly screen: Screen;
  /** Allows pages to open from now on. */
  readonly serve: (playground: Playground) => (send: Send) => PageListener;
}

export function createOpenPages(): OpenPages {
  const pages = new Set<Send>();
  const tell: Send = (message) => {
    for (const send of pages) send(message);
  };
  /** A sidebar or dialog opens in the page where its menu item was chosen. */
  let chosenIn: Send = tell;
  return {
    screen: {
      onMenu: (menu: ScreenMenu) => tell({ kind: 'menu', menu }),
      onSidebar: (html, title) => chosenIn({ kind: 'sidebar', html, title }),
      onToast: (message, title) => tell({ kind: 'toast', message, title }),
      onDialog: (html, title) => chosenIn({ kind: 'dialog', html, title }),
      onAlert: (message, title) => chosenIn({ kind: 'toast', message, title }),
      // The add-on never asks a question this way.
      onQuestion: () => ({ button: 'CLOSE', text: '' }),
    },
    serve: (playground) => {
      const { sheet, host } = playground;
      const sharing = shareSheet(sheet.workbook);
      const looks = followLooks(sheet, (all) => tell({ kind: 'looks', looks: all }));
      sheet.onCalculated(() => tell({ kind: 'messages', messages: sheet.messages() }));
      sheet.model.onSelect((selection) =>
        tell({ kind: 'select', selection: toPage(sheet.model, selection) }),
      );
      let circumstances: Circumstances = {
        daysAhead: 0,
        trouble: 'none',
        isSecondPerson: false,
        protectedSheet: null,
      };
      const userEmail = () => (circumstances.isSecondPerson ? SECOND_EMAIL : OWNER_EMAIL);
      const change = (part: Partial<Circumstances>): void => {
        circumstances = { ...circumstances, ...part };
        tell({ kind: 'circumstances', circumstances });
      };
      return (send) => {
        send({ ...welcome(playground, sharing.spills()), circumstances });
        send({ kind: 'looks', looks: looks.now() });
        pages.add(send);
        const member = sharing.join((mutation) => send({ kind: 'mutation', mutation }));
        playground.open();
        void host.start({ functionName: 'onOpen', args: [], door: 'open' });
        return {
          receive: async (message) => {
            if (message.kind === 'choose') chosenIn = send;
            if (message.kind === 'mutation') member.change(message.mutation);
            else if (message.kind === 'trouble') {
              playground.sandbox.setTrouble(message.trouble);
              change({ trouble: message.trouble });
            } else if (message.kind === 'skip-day') {
              await playground.skipDay();
              change({ daysAhead: circumstances.daysAhead + 1 });
            } else if (message.kind === 'second-person')
              change({ isSecondPerson: message.isWanted });
            else if (message.kind === 'protect') {
              if (!message.isWanted) playground.unprotect();
              change({ protectedSheet: message.isWanted ? playground.protect() : null });
            } else await act(playground, userEmail(), message, send);
          },
          left: () => {
            pages.delete(send);
            member.leave();
          },
        };
      };
    },
  };
}

function welcome(
  { dist, sandbox, key, sheet }: Playground,
  spills: Mutation,
): Omit<Welcome, 'circumstances'> {
  return {
    kind: 'welcome',
    workbook: sheet.workbook.workbook.save(),
    spills,
    functions: readFunctionHelp(dist.code),
    callable: readDeclaredFunctions(dist.code),
    addOnName: ADD_ON_NAME,
    sandbox: { baseUrl: sandbox.baseUrl, keyName: key.name },
  };
}

async function act(
  { host, sheet }: Playground,
  userEmail: string,
  message: Extract<FromPage, { kind: 'selection' | 'choose' | 'run' }>,
  send: Send,
): Promise<void> {
  switch (message.kind) {
    case 'selection': {
      const selection = fromPage(sheet.model, message.selection);
      if (selection) sheet.model.selectedInPage(selection);
      return;
    }
    case 'choose': {
      const { functionName } = message;
      const outcome = await host.start({ functionName, args: [], door: 'menu', userEmail });
      if (!outcome.ok) send({ kind: 'toast', title: 'The add-on failed', message: said(outcome) });
      return;
    }
    case 'run': {
      const { call, functionName, args } = message;
      // When a script runs at Google, the formulas that depend on an earlier script's writes are
      // already calculated.
      await sheet.workbook.calculation.caughtUp();
      const outcome = await host.start({ functionName, args, door: 'sidebar', userEmail });
      if (outcome.ok) send({ kind: 'returned', call, value: outcome.value ?? null });
      else send({ kind: 'threw', call, message: said(outcome) });
    }
  }
}

function said({ error, ended }: Outcome): string {
  return error?.message ?? `The execution ended: ${ended}.`;
}

function fromPage(model: UniverModel, { sheetId, areas }: PageSelection): Selection | null {
  const rectangles = areas.map(({ startRow, endRow, startColumn, endColumn }) => ({
    row: startRow + 1,
    column: startColumn + 1,
    rowCount: endRow - startRow + 1,
    columnCount: endColumn - startColumn + 1,
  }));
  const rectangle = rectangles.pop();
  if (!rectangle) return null;
  const others = rectangles.length > 0 ? { others: rectangles } : {};
  return { sheetId: model.sheetIdOf(sheetId), rectangle, ...others };
}

function toPage(model: UniverModel, { sheetId, rectangle, others = [] }: Selection): PageSelection {
  return {
    sheetId: model.univerIdOf(sheetId),
    areas: [...others, rectangle].map(({ row, column, rowCount, columnCount }) => ({
      startRow: row - 1,
      endRow: row + rowCount - 2,
      startColumn: column - 1,
      endColumn: column + columnCount - 2,
    })),
  };
}

// Starts the playground's page: connects grid, menu, sidebar and notes with the server.
import type { FromServer, Welcome } from '../protocol';
import { createCellNotes } from './cell-notes';
import { createCellReader } from './cell-reader';
import { createCharts } from './charts';
import { createCircumstances } from './circumstances';
import { showDemoKey } from './demo-key';
import { showDialog } from './dialog';
import { element } from './elements';
import { createExtensionsMenu } from './extensions-menu';
import { createGrid, type Grid } from './grid';
import { openServerLink, type ServerLink } from './server-link';
import { createSheetLooks } from './sheet-looks';
import { createSidebar } from './sidebar';
import { createToast } from './toast';

type Receive = (message: FromServer) => void;

void fetch('/script-frame.js')
  .then((response) => response.text())
  .then((frameScript) => start(frameScript));

function start(frameScript: string): void {
  const link = openServerLink();
  const toast = createToast();
  let receive: Receive = () => {};
  link.onMessage((message) => {
    if (message.kind === 'welcome') receive = open(message, { link, toast, frameScript });
    else receive(message);
  });
  link.onClosed(() =>
    toast('The playground has stopped', 'Start it again, then reload this page.'),
  );
}

interface Parts {
  readonly link: ServerLink;
  readonly toast: ReturnType<typeof createToast>;
  readonly frameScript: string;
}

function open(welcome: Welcome, { link, toast, frameScript }: Parts): Receive {
  describeDocument(welcome);
  const grid = createGrid(element('grid', HTMLElement), welcome, () =>
    element('work', HTMLElement).removeAttribute('aria-busy'),
  );
  const looks = createSheetLooks(grid);
  const onResize = () => dispatchEvent(new Event('resize'));
  const charts = createCharts(grid, onResize);
  const notes = createCellNotes(grid);
  const menu = createExtensionsMenu(welcome.addOnName, (functionName) =>
    link.send({ kind: 'choose', functionName }),
  );
  const circumstances = createCircumstances(welcome.circumstances, link.send, toast);
  const sidebar = createSidebar({
    daysAhead: welcome.circumstances.daysAhead,
    callable: welcome.callable,
    frameScript,
    run: ({ call, functionName, args }) => link.send({ kind: 'run', call, functionName, args }),
    onResize,
    focusGrid: () => element('grid', HTMLElement).querySelector('canvas')?.focus(),
  });
  grid.onChange((mutation) => link.send({ kind: 'mutation', mutation }));
  const reader = createCellReader(grid);
  followSelection(grid, link, (sheetId, row, column) => {
    notes.select(sheetId, row, column);
    looks.select(sheetId, row, column);
    reader.refresh();
  });
  let { isSecondPerson } = welcome.circumstances;
  return (message) => {
    reader.refresh();
    if (message.kind === 'mutation') grid.replay(message.mutation);
    else if (message.kind === 'circumstances') {
      circumstances.show(message.circumstances);
      // The page that is open is the other person's.
      if (message.circumstances.isSecondPerson !== isSecondPerson) sidebar.close();
      ({ isSecondPerson } = message.circumstances);
      sidebar.setDaysAhead(message.circumstances.daysAhead);
    } else if (message.kind === 'messages') notes.show(message.messages);
    else if (message.kind === 'looks') {
      looks.show(message.looks);
      charts.show(message.looks);
    } else if (message.kind === 'select') grid.select(message.selection);
    else if (message.kind === 'menu') menu.show(message.menu);
    else if (message.kind === 'sidebar') sidebar.show(message.title, message.html);
    else if (message.kind === 'dialog') showDialog(message.title, message.html);
    else if (message.kind === 'toast') toast(message.title, message.message);
    else if (message.kind !== 'welcome') sidebar.settle(message);
  };
}

function describeDocument({ workbook, sandbox }: Welcome): void {
  document.title = `${workbook.name} · Playground`;
  element('document-name', HTMLElement).textContent = workbook.name;
  showDemoKey(sandbox);
}

function followSelection(
  grid: Grid,
  link: ServerLink,
  select: (sheetId: string, row: number, column: number) => void,
): void {
  grid.onSelect((selection) => {
    const active = selection.areas.at(-1);
    if (active) select(selection.sheetId, active.startRow, active.startColumn);
    link.send({ kind: 'selection', selection });
  });
}

// A spreadsheet with the script of the probes: through the menu, in cells that compute, by the clock, in a page.

import { createContext, runInContext } from 'node:vm';
import type { HostDocument } from 'apps-script-host/document';
import { createSandboxedInternet } from 'apps-script-host/internet/sandboxed';
import { recalculating } from 'apps-script-host/recalculation';
import { createDateSerial, isDate } from 'apps-script-host/sheet/date-serial';
import { createPlainGrid, type PlainGrid } from 'apps-script-host/sheet/plain-grid';
import { built, distIn } from '../build-once';
import { createWorld, documentOf, type World, type WorldOptions } from '../doors/world';

/** What becomes of things on their way, which a test may damage. */
export interface Way {
  readonly call?: (args: readonly unknown[]) => readonly unknown[];
  /** A script of the page, as HtmlService serves it. */
  readonly script?: (text: string) => string;
}

export interface ProbeWorld extends World {
  readonly grid: PlainGrid;
  readonly messages: string[];
  /** Chooses an item of the menu, in the first spreadsheet if none is named. */
  choose(functionName: string, documentId?: string): Promise<void>;
  /** The scripts of the dialog on view. */
  scripts(): readonly string[];
  /** Runs the page of the dialog on view, with everything it asks the server. */
  runPage(way?: Way): Promise<void>;
  /** The report on view: a line for each probe, with what stands below it. */
  report(): ReadonlyMap<string, string>;
  reportText(): string;
  /** The sheet of the probes. */
  sheetId(): number;
}

export interface ProbeOptions {
  readonly host?: WorldOptions['host'];
  /** A second spreadsheet, as a copy of the first. */
  readonly copy?: HostDocument;
}

const SLOW_MS = 10_000;

export function probeWorld(options: ProbeOptions = {}): ProbeWorld {
  const grid = createPlainGrid({ timeZone: 'America/New_York' });
  const shown = { html: '', report: '' };
  const messages: string[] = [];
  const world = createWorld({
    host: {
      dist: distIn(built('probes')),
      // A probe has a cell calculated while it holds the lock, to see whom that keeps waiting.
      sheetsFailUnderLock: false,
      documents: [
        { ...documentOf('sheet-1'), model: grid },
        ...(options.copy === undefined ? [] : [options.copy]),
      ],
      internet: createSandboxedInternet({
        'httpbin.org': () => ({
          kind: 'answer',
          status: 200,
          headers: {},
          body: '{}',
          delayMs: SLOW_MS,
        }),
      }),
      screen: {
        onDialog: (html) => {
          shown.html = html;
          shown.report = /<textarea[^>]*>([\s\S]*)<\/textarea>/.exec(html)?.[1] ?? '';
        },
        onAlert: (message) => messages.push(message),
      },
      ...options.host,
    },
  });
  recalculating(world.host, grid, (name) => name === 'PROBE');
  computeByHand(grid);
  const sheetId = () => grid.sheets().find(({ name }) => name.endsWith('probes'))?.id ?? -1;
  const reportText = () =>
    shown.report.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  return {
    ...world,
    grid,
    messages,
    sheetId,
    reportText,
    async choose(functionName, documentId) {
      const where = documentId === undefined ? {} : { documentId };
      const { error } = await world.run({ functionName, args: [], door: 'menu', ...where });
      if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
    },
    scripts: () => scriptsIn(shown.html),
    async runPage(way = {}) {
      shown.report = await pageRun(shown.html, world, way);
    },
    report: () =>
      new Map(
        reportText()
          .split('\n\n')
          .slice(1)
          .map((part) => [/^\w+ +(.*?) \(/.exec(part)?.[1] ?? part, part] as const),
      ),
  };
}

/** The two formulas of the probes that are no custom functions: "=NA()" and "=D12*1". */
function computeByHand(grid: PlainGrid): void {
  const { toSerial } = createDateSerial(grid.timeZone());
  let isComputing = false;
  grid.onChange((change) => {
    if (change.kind !== 'cells' || isComputing) return;
    isComputing = true;
    const { sheetId } = change;
    const { lastRow: rowCount, lastColumn: columnCount } = grid.size(sheetId);
    const all = { row: 1, column: 1, rowCount, columnCount };
    const formulas = rowCount === 0 ? [] : grid.formulas(sheetId, all);
    for (const [down, texts] of formulas.entries()) {
      for (const [right, formula] of texts.entries()) {
        const put = (value: string | number) => {
          const here = { row: down + 1, column: right + 1, rowCount: 1, columnCount: 1 };
          // What did not change is no news to the cells that name it.
          if (grid.values(sheetId, here)[0]?.[0] === value) return;
          grid.setComputed(sheetId, down + 1, right + 1, value);
        };
        if (formula === '=NA()') put('#N/A');
        const dated = Number(/^=D(\d+)\*1$/.exec(formula)?.[1] ?? 0);
        if (dated === 0) continue;
        const cell = { row: dated, column: 4, rowCount: 1, columnCount: 1 };
        const date = grid.values(sheetId, cell)[0]?.[0];
        if (isDate(date)) put(toSerial(date));
      }
    }
    isComputing = false;
  });
}

function scriptsIn(html: string): readonly string[] {
  return [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script);
}

/** The scripts of a page in a realm of their own, with as much of a browser as they use. */
async function pageRun(
  html: string,
  { host }: World,
  { call: sent = (args) => args, script: served = (text) => text }: Way,
): Promise<string> {
  const elements = new Map<string, Record<string, unknown>>();
  const asked: { args: readonly unknown[]; done: (value: unknown) => void }[] = [];
  const failures: string[] = [];
  const run = (done: (value: unknown) => void): object => ({
    withSuccessHandler: (next: (value: unknown) => void) => run(next),
    withFailureHandler: () => run(done),
    probePage: (...args: readonly unknown[]) => void asked.push({ args, done }),
  });
  const getElementById = (id: string) => {
    const element = elements.get(id) ?? {};
    elements.set(id, element);
    return element;
  };
  const realm: Record<string, unknown> = {
    document: { getElementById },
    google: { script: { run: run(() => {}) } },
    setTimeout: () => 0,
    // The page's clock goes with the host's.
    Date: { now: host.nowMs },
  };
  realm.window = realm;
  const context = createContext(realm);
  for (const script of scriptsIn(html)) {
    try {
      runInContext(served(script), context);
    } catch (error) {
      failures.push(String(error));
    }
  }
  for (let next = asked.shift(); next !== undefined; next = asked.shift()) {
    const call = { functionName: 'probePage', args: sent(next.args), door: 'sidebar' } as const;
    const outcome = host.start(call);
    await host.run();
    const { value, error } = await outcome;
    if (error !== undefined) throw new Error(`${error.name}: ${error.message}`);
    next.done(value);
  }
  return String(elements.get('report')?.value ?? failures.join('\n'));
}

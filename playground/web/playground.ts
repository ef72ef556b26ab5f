// Runs the whole playground in one process: sandbox service, emulated Apps Script, spreadsheet and
// page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createHost, type Host, type Outcome } from 'apps-script-host/host';
import { loopbackInternet } from 'apps-script-host/internet/http';
import type { Screen } from 'apps-script-host/service';
import { DEMO_KEY, KEYS, type SandboxKey } from '../api/keys';
import { type SandboxServer, startSandbox } from '../api/server';
import type { LatencyLaw } from '../api/state';
import type { CellCall, CellOutcome } from './cell-call';
import { readFunctionHelp } from './function-help';
import { type LiveSheet, openLiveSheet } from './live-sheet';
import { type Contents, SAMPLE_DOCUMENT_ID, sampleWorkbook } from './sample-sheet';
import { decideList } from './supplier-list';

export interface Playground {
  readonly dist: ReturnType<typeof readDist>;
  readonly sandbox: SandboxServer;
  readonly sheet: LiveSheet;
  readonly host: Host;
  readonly key: SandboxKey;
  /** Opens the file as a user does: its formulas are calculated, and failed ones once more. */
  readonly open: () => void;
  /** Protects the sheet in view, so that only its owner may change it. Its name. */
  readonly protect: () => string;
  readonly unprotect: () => void;
  /** Moves the clocks of script, sheet and sandbox forward by a day as soon as no script runs. */
  readonly skipDay: () => Promise<void>;
  /** From now on, or no longer, nobody waits for scripts that sleep, nor for the service: for tests. */
  readonly hurry: (isWanted: boolean) => void;
  readonly stop: () => Promise<void>;
}

export interface PlaygroundOptions {
  /** The folder of the built add-on. */
  readonly distFolder: string;
  readonly keyName?: string;
  readonly latency?: LatencyLaw;
  /** Defaults to enough for browsing. */
  readonly productsPerMarket?: number;
  /** True to start before a key is connected. */
  readonly firstRun?: boolean;
  /** Defaults to formulas alone. */
  readonly contents?: Contents;
  readonly screen: Screen;
}

/** The owner of the spreadsheet, and somebody with whom it is shared: one of them is at the keyboard. */
export const OWNER_EMAIL = 'owner@example.com';
export const SECOND_EMAIL = 'assistant@example.com';

/**
 * Cells use up to 30 executions at once. Ten more let menu and sidebar answer meanwhile. It is not
 * known whether Google would refuse them; its pages say only that 30 is the limit.
 */
const EXECUTIONS_PER_USER = 40;

const DAY_MS = 86_400_000;
/**
 * A run over a list never pauses for longer than a moment. After this time it counts as cut off by
 * Google.
 */
const IDLE_WAIT_MS = 5_000;

/** A service slow enough to watch the cells while they wait. */
export const SLOW: LatencyLaw = { medianMs: 2500, sigma: 0.35 };

export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { keyName = DEMO_KEY, latency, productsPerMarket, screen } = options;
  const { firstRun = false, contents = 'formulas' } = options;
  const key = KEYS.find((one) => one.name === keyName);
  if (key === undefined) throw new Error(`The sandbox has no key ${keyName}.`);
  const dist = readDist(options.distFolder);
  // The host's clock may be ahead of the machine's, and all go by it.
  let hostNowMs = Date.now;
  const nowMs = () => hostNowMs();
  const sandbox = await startSandbox({
    nowMs,
    ...(latency && { latency }),
    ...(productsPerMarket && { productsPerMarket }),
  });
  const workbook = sampleWorkbook(contents);
  // Cells wait until the host exists and a user opens the file.
  let openFirst: (host: Host) => void = () => {};
  const whenOpen = new Promise<Host>((resolve) => {
    openFirst = resolve;
  });
  const sheet = openLiveSheet({
    data: workbook,
    functionNames: readFunctionHelp(dist.code).map(({ name }) => name),
    execute: async (call) => outcomeOf(await startCell(await whenOpen, call)),
    nowMs,
  });
  const host = createHost({
    dist,
    clock: 'real',
    seed: 1,
    internet: loopbackInternet,
    documents: [
      {
        id: SAMPLE_DOCUMENT_ID,
        name: workbook.name ?? '',
        ownerEmail: OWNER_EMAIL,
        editors: [SECOND_EMAIL],
        model: sheet.model,
      },
    ],
    screen,
    limits: { executionsPerUser: EXECUTIONS_PER_USER },
    // A user who skips a day wants to see its effects at once, so triggers fire without delay.
    firings: (dueMs) => [dueMs],
  });
  hostNowMs = host.nowMs;
  if (!firstRun) await connect(host, sandbox.baseUrl, key);
  if (!firstRun && contents === 'list') await decideList(host);
  const open = (): void => {
    openFirst(host);
    sheet.reopen();
  };
  const { model } = sheet;
  let unprotect = (): void => {};
  const protect = (): string => {
    const { sheetId } = model.selection();
    unprotect();
    const id = model.protect({ sheetId, rectangle: null });
    unprotect = () => model.unprotect(sheetId, id);
    return model.sheets().find((one) => one.id === sheetId)?.name ?? '';
  };
  const skipDay = async (): Promise<void> => {
    await Promise.race([host.run(), setTimeout(IDLE_WAIT_MS, undefined, { ref: false })]);
    sandbox.passDay();
    host.skip(DAY_MS);
    sheet.workbook.calculation.markAll();
  };
  const hurry = (isWanted: boolean): void => {
    host.hurry(isWanted);
    sandbox.hurry(isWanted);
  };
  const stop = async (): Promise<void> => {
    sheet.dispose();
    await host.stop();
    await sandbox.stop();
  };
  return {
    dist,
    sandbox,
    sheet,
    host,
    key,
    open,
    protect,
    unprotect: () => unprotect(),
    skipDay,
    hurry,
    stop,
  };
}

function readDist(folder: string) {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return {
    code: read('Code.js'),
    html: { Diagnostics: read('Diagnostics.html'), Sidebar: read('Sidebar.html') },
    manifest: read('appsscript.json'),
  };
}

function startCell(host: Host, call: CellCall): Promise<Outcome> {
  return host.start({ ...call, door: 'cell', documentId: SAMPLE_DOCUMENT_ID });
}

/** What Sheets shows for a cell whose function failed when the pointer is over it. */
function outcomeOf({ ok, value, error }: Outcome): CellOutcome {
  if (ok) return { kind: 'value', value };
  const message = error === undefined ? 'Internal error executing the custom function.' : '';
  return { kind: 'failure', message: message || `${error?.name}: ${error?.message}` };
}

/**
 * Does what *Connect* in the sidebar does: saves the key, then makes one call to learn what the
 * service sends.
 */
async function connect(host: Host, baseUrl: string, { name, quota }: SandboxKey): Promise<void> {
  const { kind: _, ...known } = quota ?? { kind: null };
  const draft = {
    baseUrl,
    apiKey: name,
    quota: quota === null ? null : known,
    sharing: 'spreadsheet',
  };
  const ask = (method: string, payload: unknown) =>
    host.start({ functionName: 'rpc', args: [method, payload], door: 'sidebar' });
  const saved = await ask('connection.save', draft);
  const reply = saved.value as { readonly ok: boolean } | undefined;
  if (!reply?.ok) throw new Error(`The demo key was not saved: ${JSON.stringify(saved)}`);
  // The sandbox may refuse one of its own keys. Cells then say so.
  await ask('connection.check', {});
}

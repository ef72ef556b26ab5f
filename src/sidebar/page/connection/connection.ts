// The Settings page: what it knows, and what a person can do there.

import { computed, signal } from '@preact/signals-core';
import type { ConnectionDraft, Sharing } from '../../../connection/connection';
import { seenText } from '../../../product/cell-text';
import type { DialectSetting } from '../../../service/dialect';
import type { CheckReport, CheckRequest } from '../../api/check';
import type { ConnectionStatus } from '../../api/connection';
import type { RpcFailure } from '../../api/failure-view';
import * as app from '../ui/app';
import { createForm } from '../ui/form';
import { createTasks, Failed } from '../ui/task';
import * as formulas from './formulas';
import {
  type Change,
  type ConnectionForm,
  draftOf,
  EMPTY_FORM,
  formOf,
  type Problems,
  problemsOf,
  withoutDialect,
} from './input';
import { tidyAddress, tidyKey } from './pasted';
import { type ChipText, chipOf, ownOf } from './status';

const { busy, failure, notice, task, quietly, cancel } = createTasks();
/** A check goes on while other things are done. */
const checks = createTasks();

export { busy, notice };
export const checkFailure = checks.failure;

export const TITLE = 'connection-title';
export const KEEP = 'keep';
/** The input of the key, which is kept nowhere else. */
export const KEY = 'apiKey';
/** The button that sends the form. */
export const CONNECT = 'connect';
/** The box for the whole message with address and key. */
export const MESSAGE = 'message';

const status = app.connection;
/** What the last check read. */
export const report = signal<CheckReport | null>(null);
/** The product to check with; empty for the default one. */
export const product = app.kept('connection-product', '');
/** Whether the person has to confirm the removal of the key. */
export const isRemoving = signal(false);

/** Whether a key is typed. */
export const hasKey = signal(false);
/** What the server says of a field. */
const refusal = signal<Problems>({});

export const form = createForm<ConnectionForm>('connection-form', (values) =>
  status.value === null
    ? {}
    : { ...problemsOf(values, status.value, hasKey.value), ...refusal.value },
);
/** The part of the connection that was opened for a change; the focus returns there. */
let changing: Change = KEY;

/** Whether there is anything but the form. */
export const canLeave = computed(() => status.value?.connected || status.value?.demo === true);

export const view = computed(() => {
  if (status.value === null) return load.isBusy ? 'loading' : 'unreached';
  if (form.values.value !== null) return 'entering';
  return status.value.connected ? 'connected' : 'sampling';
});

/** The one failure to show, the most recent first. */
export const trouble = computed((): RpcFailure | null => {
  const isElsewhere = view.value !== 'connected' || isRemoving.value;
  if (failure.value !== null || isElsewhere || !status.value?.connected) return failure.value;
  const { stopped } = status.value;
  // The server reports the same failure with the time that is left, which is kept up to date.
  if (checkFailure.value !== null)
    return { ...checkFailure.value, ...(stopped?.kind === checkFailure.value.kind && stopped) };
  return check.isBusy ? null : (stopped ?? null);
});

/** The connection as the line at the top says it. */
export const chip = computed((): ChipText => {
  if (status.value === null) {
    const text = load.isBusy ? 'Looking for your key' : 'Connection unknown';
    return { tone: 'none', parts: [text] };
  }
  const failed = checkFailure.value;
  const refused = failed?.stopsKey ? failed : null;
  const stop = (status.value.connected && status.value.stopped) || refused;
  return chipOf(status.value, { stop, hasCheckFailed: failed !== null });
});

// What the server says

/**
 * Set while no product gets answers. Once one does, formulas that failed meanwhile are
 * recalculated.
 */
let wasStopped = false;

function take(next: ConnectionStatus): void {
  const hadForm = !canLeave.peek();
  status.value = next;
  // A form is continued after the sidebar was closed, or beside samples, unless nothing was typed.
  if (hadForm && canLeave.value && form.values.value?.baseUrl === '') form.open(null);
  if (!canLeave.value && form.values.value === null) form.open(EMPTY_FORM);
  formulas.takeWaiting(next);
  if (!next.connected || next.stopped === undefined) return;
  wasStopped = true;
  // An earlier success is not shown beside a key that has been refused since.
  report.value = null;
}

export const load = task(async (call) => {
  take(await call('connection.status', {}));
  // On the first run the person is about to paste, so the cursor is in the box for it.
  if (form.values.value !== null && !status.value?.connected) app.focus(MESSAGE);
});

/**
 * Reads a connection again, unless a form or a question is open, which is about it as it was. Samples
 * that another page has begun are news even to the first form.
 */
export const refresh = quietly(async (call) => {
  const next = await call('connection.status', {});
  const haveBegun = !canLeave.value && !next.connected && next.demo;
  const isFree = form.values.value === null && !isRemoving.value;
  if (haveBegun || (next.connected && isFree)) take(next);
});

/** Another page has met a key that gets no answers, or gets them again. */
async function turned(): Promise<void> {
  await refresh();
  const isStopped = status.value?.connected === true && status.value.stopped !== undefined;
  if (!isStopped && checkFailure.value?.stopsKey) checkFailure.value = null;
}

// The check

async function checked(): Promise<void> {
  // The check may have stopped or reopened the connection, or revealed its limit.
  await refresh();
  if (report.value === null) wasStopped = true;
  else if (wasStopped) {
    wasStopped = false;
    formulas.refreshFailed();
  }
}

export const check = checks.task(async (call, wish: CheckRequest = {}) => {
  formulas.forget();
  notice.value = '';
  report.value = null;
  const answer = await call('connection.check', wish);
  report.value = answer;
  // What the check decided is in force at once.
  if (status.value?.connected) status.value = { ...status.value, settings: answer.settings };
  app.keyMended();
}, checked);

/** Checks with the product that was typed, else with the default one. */
export const checkProduct = (): void => {
  const asin = seenText(product.value);
  void check(asin === '' ? {} : { asin });
};

// The form

/** Everything that applied only to the previous connection is reset. */
function begin(): void {
  app.keyMended();
  report.value = null;
  checks.cancel();
  formulas.renewWaiting();
}

export const save = task(async (call, draft: ConnectionDraft) => {
  formulas.forget();
  try {
    const next = await call('connection.save', draft);
    begin();
    wasStopped = true;
    form.open(null);
    take(next);
  } catch (error) {
    const field = error instanceof Failed ? error.failure.field : undefined;
    if (!(error instanceof Failed) || field === undefined) throw error;
    const { message, action } = error.failure;
    refusal.value = { [field]: [message, action].filter(Boolean).join(' ') };
    form.check();
    return;
  }
  app.focus(TITLE);
  if (status.value?.connected) void check();
});

/** The key is read from its input when the form is sent. */
const keyTyped = (): string => {
  const input = document.getElementById(KEY);
  return input instanceof HTMLInputElement ? tidyKey(input.value) : '';
};

export function submit(): void {
  const values = form.values.value;
  if (values === null || status.value === null || save.isBusy) return;
  const key = keyTyped();
  mended(key !== '');
  if (form.check()) void save(draftOf(values, status.value, key));
}

/** What the server said is over once it is being mended. */
export function mended(isKeyTyped = hasKey.value): void {
  hasKey.value = isKeyTyped;
  refusal.value = {};
}

export function edit(changed: Partial<ConnectionForm>): void {
  mended();
  form.change(changed);
}

export const tidy = (): void => {
  const { baseUrl = '' } = form.values.value ?? {};
  if (tidyAddress(baseUrl) !== baseUrl) edit({ baseUrl: tidyAddress(baseUrl) });
};

/** Opens the form for a part of it, which has the focus. */
export function change(what: Change): void {
  if (status.value === null) return;
  cancel();
  mended(false);
  isRemoving.value = false;
  changing = what;
  form.open(formOf(status.value));
  app.focus(ownOf(status.value) === null ? MESSAGE : what);
}

/** Escape and *Back*. */
export function leave(): void {
  if (isRemoving.value) {
    if (remove.isBusy) return;
    isRemoving.value = false;
    app.focus('remove');
  } else if (form.values.value !== null && canLeave.value && !save.isBusy) {
    cancel();
    form.open(null);
    app.focus(`change-${changing}`);
  }
}

// Whose key, how it is read, and the samples

/** Answers a question of the check. */
export const decide = task(async (call, setting: DialectSetting, value: string) => {
  if (status.value === null) return;
  const draft = draftOf(formOf(status.value), status.value, '');
  const { [setting]: _, ...others } = draft.settings ?? {};
  const settings = value === '' ? others : { ...others, [setting]: value };
  take(await call('connection.save', { ...draft, settings }));
  return 'Saved. Refresh formulas to show it.';
});

export const share = task(async (call, sharing: Sharing) => {
  take(await call('connection.share', { sharing }));
  if (sharing === 'me')
    return 'The key is no longer shared. Formulas use it only in spreadsheets you own.';
  formulas.refreshFailed();
  return 'Formulas in this spreadsheet now use your key.';
});

/** In a copy of a spreadsheet: allows the key that came with it. */
export const allowHere = task(async (call) => {
  take(await call('connection.useHere', {}));
  app.keyMended();
  app.focus(TITLE);
  formulas.refreshFailed();
  return 'Formulas in this spreadsheet now use the key.';
});

/** Forgets what the service has said about its limit. */
export const relearn = task(async (call) => {
  take(await call('connection.relearn', {}));
  app.focus(TITLE);
  return 'The limit is being detected again.';
});

export function askToRemove(): void {
  cancel();
  isRemoving.value = true;
  app.focus(KEEP);
}

/**
 * The form keeps the former values, so that only the key is needed to reconnect. How answers are
 * read is decided again.
 */
export const remove = task(async (call) => {
  const was = status.value;
  try {
    const next = await call('connection.clear', {});
    begin();
    if (was !== null && !next.connected && !next.demo) form.open(withoutDialect(formOf(was)));
    take(next);
    app.focus(TITLE);
    return 'The key was removed.';
  } catch (error) {
    app.focus('remove');
    throw error;
  } finally {
    isRemoving.value = false;
  }
});

/** Without a key: a supplier's list of invented products, decided, for which formulas answer as well. */
export const openSamples = task(async (call) => {
  take(await call('demo.start', {}));
  form.open(null);
  await call('deals.newSheet', { kind: 'wholesale', hasSamples: true });
  formulas.refreshFailed();
  app.goTo('list');
});

export const stopSamples = task(async (call) => {
  take(await call('demo.stop', {}));
  app.focus(TITLE);
  return 'Samples are off.';
});

/** All that happens by itself. */
export function startConnection(): void {
  app.turned.act = () => void turned();
  void load();
}

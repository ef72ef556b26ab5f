// What the chip at the top and the messages above the bottom bar say, read off the state.
import { stopsKey } from '../../../analysis/failure';
import type {
  CheckReport,
  CheckWish,
  ConnectionStatus,
  RpcFailure,
  Sharing,
} from '../../rpc-contract';
import type { RpcMethods } from '../../rpc-methods';
import { noticesOf, withCheck } from './decisions';
import { foundLimit, periodName } from './form';
import type { Beside, ConnectionState, Waiting } from './state';
import { isNearLimit } from './usage';

/** none: no key · good · caution: limit not known, or a failed check · bad: no calls are made. */
type Tone = 'none' | 'good' | 'caution' | 'bad';

export interface ChipText {
  readonly tone: Tone;
  /** Parts from left to right; the first gives way when the column is too narrow. */
  readonly parts: readonly string[];
}

const PERIOD_SIGNS: Readonly<Record<string, string>> = {
  second: 's',
  minute: 'min',
  hour: 'h',
  day: 'day',
};

export function statusOf(state: ConnectionState): ConnectionStatus | null {
  const { view } = state;
  if (view.at === 'loading' || view.at === 'unreached') return null;
  return 'was' in view ? view.was : view.status;
}

export function hostOf(baseUrl: string): string {
  return baseUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/.*$/, '');
}

/** What stops this connection: said by the server, or met by the check just made. */
function stopOf(state: ConnectionState, status: ConnectionStatus): RpcFailure | null {
  if (status.connected && status.stopped !== undefined) return status.stopped;
  if (state.check.at !== 'failed') return null;
  const { failure } = state.check;
  return stopsKey(failure.kind) ? failure : null;
}

export function chipOf(state: ConnectionState): ChipText {
  if (state.view.at === 'unreached') return { tone: 'none', parts: ['Connection not known'] };
  const status = statusOf(state);
  if (status === null) return { tone: 'none', parts: ['Looking for your key'] };
  if (!status.connected) {
    return { tone: 'none', parts: [status.demo ? 'Samples, no key' : 'No key connected'] };
  }
  const parts = [hostOf(status.baseUrl), status.keyMask];
  const stop = stopOf(state, status);
  if (stop !== null) {
    return { tone: 'bad', parts: [...parts, stop.kind === 'key-refused' ? 'refused' : 'stopped'] };
  }
  const { quota } = status;
  const limit = quota ?? foundLimit(status);
  if (limit === null) return { tone: 'caution', parts: [...parts, 'detecting'] };
  const sign = PERIOD_SIGNS[periodName(limit.perSeconds)] ?? periodName(limit.perSeconds);
  const rate = `${quota === null ? 'about ' : ''}${limit.calls.toLocaleString()}/${sign}`;
  if (state.check.at === 'failed') return { tone: 'caution', parts: [...parts, 'check failed'] };
  if (isNearLimit(status)) return { tone: 'caution', parts: [...parts, 'near a limit'] };
  if (noticesOf(withCheck(status, state.check)).some(({ kind }) => kind === 'contradiction')) {
    return { tone: 'caution', parts: [...parts, 'needs a look'] };
  }
  return { tone: 'good', parts: [...parts, rate] };
}

/** The one failure to show, the most recent first. */
export function failureOf(state: ConnectionState): RpcFailure | null {
  const { view, check } = state;
  if (view.at === 'unreached' || view.at === 'entering' || view.at === 'sampling') {
    return view.failure;
  }
  if (view.at !== 'connected') return null;
  if (view.failure !== null) return view.failure;
  const { stopped } = view.status;
  // The same as the server tells it since: one time for all, which goes on counting.
  if (check.at === 'failed')
    return stopped?.kind === check.failure.kind ? { ...check.failure, ...stopped } : check.failure;
  return check.at === 'running' ? null : (stopped ?? null);
}

/** What removing the key would do, while that is to be confirmed. */
export function questionOf({ view }: ConnectionState): string | null {
  if (view.at !== 'confirming') return null;
  return view.status.sharing === 'spreadsheet'
    ? 'Formulas in this spreadsheet stop answering until a key is connected again.'
    : 'Your formulas stop answering until you connect a key again.';
}

/** One sentence for those who hear the page and did not see the table appear. */
export function spokenOf(state: ConnectionState): string {
  if (state.view.at === 'saving') return 'Saving the connection.';
  if (state.view.at === 'removing') return 'Removing the key.';
  if (state.check.at === 'running') return 'Checking: asking the service for one product.';
  if (state.check.at !== 'done') return '';
  const { recognised } = state.check.report;
  if (recognised.length === 0)
    return 'The key works, but the service does not know the product used for checking.';
  const known = recognised.filter((field) => field.as !== null).length;
  const all = recognised.length;
  return `Connected. ${known === all ? `All ${all}` : `${known} of ${all}`} fields recognised.`;
}

/** What a check asks for: the product that was typed, else the usual one. */
export function wishOf({ product }: Beside): CheckWish {
  const asin = product.trim();
  return asin === '' ? {} : { asin };
}

export function insertedText({
  sheet,
  range,
  isNew,
}: RpcMethods['samples.insert']['value']): string {
  const what = isNew ? `Added a sheet “${sheet}”, ${range}` : `Filled ${range} of “${sheet}”`;
  return `${what}. Figures are loading.`;
}

export function sharedText(sharing: Sharing): string {
  return sharing === 'spreadsheet'
    ? 'Formulas in this spreadsheet now use your key.'
    : 'Your key is yours alone again.';
}

/** What a cell makes of a field, where that is something else than was sent. */
export function whyShown({ shown }: CheckReport['recognised'][number]): string | undefined {
  if (shown === undefined) return undefined;
  if (shown === null) return 'A cell stays blank.';
  return `A cell shows ${typeof shown === 'boolean' ? String(shown).toUpperCase() : shown}.`;
}

/** "The UK is written GB here. Refused: UK." */
export function marketsText(
  tried: readonly { readonly value: string; readonly accepted: boolean }[],
): string {
  const refused = tried.filter(({ accepted }) => !accepted).map(({ value }) => value);
  const taken = tried.find(({ accepted }) => accepted);
  const rest = refused.length === 0 ? '' : ` Refused: ${refused.join(', ')}.`;
  return taken === undefined
    ? `The service took none of the names of the UK.${rest}`
    : `The service takes ${taken.value} for the UK.${rest}`;
}

/** What the quiet line says of the products that wait. @param isTold why nobody is answered stands above. */
export function waitingText(waiting: Waiting, isTold = false): string {
  switch (waiting.at) {
    case 'none':
      return '';
    case 'working':
      return waiting.left === 1
        ? '1 product waits for the key’s limit. Asking for it now.'
        : `${waiting.left.toLocaleString()} products wait for the key’s limit. Asking for them now.`;
    case 'done':
      return 'All waiting products are answered. Their formulas show it when they next calculate.';
    case 'stopped': {
      const { message, action } = waiting.failure;
      const why = isTold ? [] : [message, action];
      return ['Some products still wait for the key’s limit.', ...why].filter(Boolean).join(' ');
    }
  }
}

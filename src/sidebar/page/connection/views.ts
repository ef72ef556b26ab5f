// Which view a status leads to, and where the focus goes with it.
import type { ConnectionStatus } from '../../rpc-contract';
import type { Problems } from './form';
import type { ConnectionState, View } from './state';

export function entering(was: ConnectionStatus, problems: Problems = {}): View {
  return { at: 'entering', was, problems, failure: null };
}

/** The form where there is no key, else the connection; in between the samples. */
export function viewOf(status: ConnectionStatus): View {
  if (status.connected) return { at: 'connected', status, failure: null };
  return status.demo ? { at: 'sampling', was: status, failure: null } : entering(status);
}

/** Something stands behind the form that one can go back to. */
export function canLeave(was: ConnectionStatus): boolean {
  return was.connected || was.demo;
}

/** On the first run the form waits for a paste, so the cursor stands where it belongs. */
export function firstFocus(state: ConnectionState, status: ConnectionStatus) {
  const { view, form } = state;
  if (view.at !== 'entering' || status.connected) return null;
  return { to: form.baseUrl === '' ? 'baseUrl' : 'apiKey' } as const;
}

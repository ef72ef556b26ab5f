// What changed at the service or could be settled now, and a button that follows it.
import type { ConnectionSettings } from '../../rpc-contract';
import { FailureIcon } from '../frame/icons';
import type { Notice } from './decisions';

interface NoticesProps {
  readonly notices: readonly Notice[];
  readonly isBusy: boolean;
  /** null where the connection is somebody else's. */
  readonly follow: ((suggested: ConnectionSettings) => void) | null;
}

export function Notices({ notices, isBusy, follow }: NoticesProps) {
  return (
    <>
      {notices.map(({ kind, what, message, action, suggested }) => (
        <div class={`card ${kind === 'contradiction' ? 'caution' : ''}`} key={kind + what}>
          {kind === 'contradiction' && <FailureIcon />}
          <div>
            <p>
              {message} {action}
            </p>
            {follow !== null && suggested !== undefined && (
              <button
                class="link"
                type="button"
                disabled={isBusy}
                onClick={() => follow(suggested)}
              >
                {kind === 'contradiction' ? 'Follow the change' : 'Settle it so'}
              </button>
            )}
          </div>
        </div>
      ))}
    </>
  );
}

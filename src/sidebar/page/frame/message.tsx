// Where the page speaks: above the bottom bar, never as a pop-up, and aloud for screen readers.
import type { RpcFailure } from '../../rpc-contract';
import { DoneIcon, FailureIcon } from './icons';

interface MessagesProps {
  readonly failure: RpcFailure | null;
  readonly notice: string | null;
  /** For ears only: what eyes can see anyway. */
  readonly spoken: string;
}

/** The two live regions stay in the page: one that comes with its text may not be read out. */
export function Messages({ failure, notice, spoken }: MessagesProps) {
  return (
    <div class="messages">
      <div role="alert">
        {failure !== null && (
          <div class="message bad">
            <FailureIcon />
            <p>
              <strong>{failure.message}</strong> {failure.action}
            </p>
          </div>
        )}
      </div>
      <div role="status">
        {notice !== null && (
          <div class="message good">
            <DoneIcon />
            <p>{notice}</p>
          </div>
        )}
        <p class="heard">{spoken}</p>
      </div>
    </div>
  );
}

// Where the pages speak: above the bottom bar, never as a pop-up, and aloud for screen readers.
import type { RpcFailure } from '../../rpc-contract';
import { DoneIcon, FailureIcon } from './icons';
import type { Messages, Remedy } from './page';
import { CalmProgress } from './progress';

/** What the buttons below the question are described by. */
export const QUESTION_ID = 'question';

interface FailureProps {
  readonly failure: RpcFailure;
  readonly remedy: Remedy | undefined;
}

function Failure({ failure, remedy }: FailureProps) {
  return (
    <div class="message bad">
      <FailureIcon />
      <div>
        <p>
          <strong>{failure.message}</strong> {failure.action}
        </p>
        {failure.requestId !== undefined && <p class="caption">Request {failure.requestId}</p>}
        {failure.grantUrl !== undefined && (
          <a class="link" href={failure.grantUrl} target="_blank" rel="noopener noreferrer">
            Allow it at Google
          </a>
        )}
        {remedy !== undefined && (
          <button class="link" type="button" onClick={() => remedy.press()}>
            {remedy.label}
          </button>
        )}
      </div>
    </div>
  );
}

interface MessageAreaProps {
  readonly messages: Messages;
  pause(waitMs: number): Promise<void>;
}

/** The live regions stay in the page: one that comes with its text may not be read out. */
export function MessageArea({ messages, pause }: MessageAreaProps) {
  const { failure, remedy, notice, question, spoken, progress } = messages;
  return (
    <div class="messages">
      <div role="alert">{failure != null && <Failure failure={failure} remedy={remedy} />}</div>
      <div role="status">
        {notice != null && (
          <div class="message good">
            <DoneIcon />
            <p>{notice}</p>
          </div>
        )}
        <p class="heard">{spoken}</p>
      </div>
      <CalmProgress text={progress ?? ''} pause={pause} />
      {question != null && (
        <p class="message caution" id={QUESTION_ID}>
          {question}
        </p>
      )}
    </div>
  );
}

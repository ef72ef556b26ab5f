// Everything around a page: tabs, messages, spoken progress, the bottom bar.

import { useEffect, useState } from 'preact/hooks';
import type { RpcFailure } from '../../api/failure-view';
import { DoneIcon, FailureIcon, Link } from './fields';
import { HelpLink } from './help';
import {
  type BarButton,
  type Buttons,
  type Messages,
  type Page,
  type PageId,
  placeAfter,
  type Remedy,
} from './page';
import { UI_TEXTS } from './texts';

/**
 * Progress is spoken at most this often, since a screen reader that never pauses is useless for
 * anything else.
 */
const PROGRESS_EVERY_MS = 10_000;

interface CalmProgressProps {
  /** Empty while nothing is in progress. */
  readonly text: string;
  pause(waitMs: number): Promise<void>;
}

function CalmProgress({ text, pause }: CalmProgressProps) {
  const [heard, setHeard] = useState('');
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (text === heard) return;
    // What has ended is no progress any more, and there is nothing to wait for.
    if (text === '') return setHeard('');
    if (isQuiet) return;
    setHeard(text);
    setQuiet(true);
    void pause(PROGRESS_EVERY_MS).then(() => setQuiet(false));
  }, [text, heard, isQuiet, pause]);
  return (
    <p class="heard" aria-live="polite">
      {heard}
    </p>
  );
}

/** The id of the question, which describes the buttons below it. */
const QUESTION_ID = 'question';
/** The same of what the filled button costs. */
const COST_ID = 'cost';

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
        {failure.requestId !== undefined && (
          <p class="caption">{`${UI_TEXTS.request} ${failure.requestId}`}</p>
        )}
        {failure.grantUrl !== undefined && (
          <a class="link" href={failure.grantUrl} target="_blank" rel="noopener noreferrer">
            {UI_TEXTS.allowAtGoogle}
          </a>
        )}
        <p class="links">
          {remedy !== undefined && <Link press={() => remedy.press()}>{remedy.label}</Link>}
          <HelpLink about={failure} />
        </p>
      </div>
    </div>
  );
}

interface MessageAreaProps {
  readonly messages: Messages;
  pause(waitMs: number): Promise<void>;
}

/**
 * The live regions stay in the document, because one that appears together with its text may not be
 * read out.
 */
export function MessageArea({ messages, pause }: MessageAreaProps) {
  const { failure, remedy, notice, question, spoken, progress } = messages;
  return (
    <div class="messages">
      <div role="alert">{failure != null && <Failure failure={failure} remedy={remedy} />}</div>
      <div role="status">
        {notice != null && (
          <div class="message good">
            <DoneIcon />
            <div>
              <p>{notice}</p>
              {failure == null && remedy !== undefined && (
                <Link press={() => remedy.press()}>{remedy.label}</Link>
              )}
            </div>
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

interface ButtonProps {
  readonly button: BarButton;
  readonly rank: 'primary' | 'quiet';
  /** The id of what is to be known before it is pressed. */
  readonly about: string | undefined;
}

function Button({ button, rank, about }: ButtonProps) {
  const isBusy = button.isBusy === true;
  const onClick = (event: Event): void => {
    // What is pressed may become the button of a form at once, and would then send it, too.
    if (button.form === undefined) event.preventDefault();
    button.press?.();
  };
  return (
    <button
      class={`button ${rank}${button.isDangerous === true ? ' dangerous' : ''}`}
      id={button.id}
      type={button.form === undefined || isBusy ? 'button' : 'submit'}
      form={button.form}
      aria-disabled={isBusy || button.isWaiting === true}
      aria-describedby={about}
      onClick={isBusy ? undefined : onClick}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      <span class="label">{button.label}</span>
    </button>
  );
}

interface BottomBarProps {
  readonly buttons: Buttons;
  /** Whether a question is shown above the buttons, which are its answers. */
  readonly isAsked: boolean;
}

export function BottomBar({ buttons, isAsked }: BottomBarProps) {
  const { primary, second, cost } = buttons;
  const { progress } = primary;
  const about = isAsked ? QUESTION_ID : undefined;
  return (
    <div class="bar">
      {progress != null && (
        <div class="under-way">
          <progress aria-label={progress.words} max={progress.of} value={progress.done} />
          <p class="caption">{progress.words}</p>
        </div>
      )}
      <Button
        key="primary"
        rank="primary"
        button={primary}
        about={cost === undefined ? about : COST_ID}
      />
      {second !== undefined && (
        <Button key={second.id} rank="quiet" button={second} about={about} />
      )}
      {cost !== undefined && (
        <p class="cost" id={COST_ID}>
          {cost}
        </p>
      )}
    </div>
  );
}

export const tabId = (page: PageId): string => `tab-${page}`;
export const panelId = (page: PageId): string => `panel-${page}`;

interface TabsProps {
  readonly pages: readonly Page[];
  readonly shown: PageId;
  choose(page: PageId): void;
}

export function Tabs({ pages, shown, choose }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = pages.findIndex(({ id }) => id === shown);
    const to = pages[placeAfter(event.key, from, pages.length) ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    choose(to.id);
    document.getElementById(tabId(to.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={UI_TEXTS.pages} onKeyDown={onKeyDown}>
      {pages.map(({ id, name, news = '' }) => (
        <button
          key={id}
          class="tab"
          type="button"
          role="tab"
          id={tabId(id)}
          aria-selected={id === shown}
          aria-controls={panelId(id)}
          tabIndex={id === shown ? 0 : -1}
          onClick={() => choose(id)}
        >
          {name}
          {news !== '' && id !== shown && (
            <span class="news">
              <span class="heard">{news}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

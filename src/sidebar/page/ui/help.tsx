// More about a failure: a link beside it, and a panel with what the page on troubleshooting says.

import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { RpcFailure } from '../../api/failure-view';
import { UI_TEXTS } from './texts';

/** A failure, or what is left of one among many. */
export type Explained = Pick<RpcFailure, 'kind' | 'message'> & { readonly why?: string };

const paragraphsOf = ({ kind, why }: Explained): readonly string[] | undefined =>
  __HELP__[why === undefined ? kind : `${kind} ${why}`];

/** Opens the panel. */
export const HelpContext = createContext<(explained: Explained) => void>(() => {});

interface HelpLinkProps {
  readonly about: Explained;
  /** Left out: "Learn more". */
  readonly label?: string;
}

/** Nothing where the failure says all there is to say. */
export function HelpLink({ about, label = UI_TEXTS.learnMore }: HelpLinkProps) {
  const open = useContext(HelpContext);
  if (paragraphsOf(about) === undefined) return null;
  return (
    <button
      class="link"
      type="button"
      aria-haspopup="dialog"
      aria-label={`${label}: ${about.message}`}
      onClick={() => open(about)}
    >
      {label}
    </button>
  );
}

interface HelpPanelProps {
  readonly about: Explained | null;
  /** The focus is where it was, unless that has gone meanwhile. */
  closed(): void;
}

/** It stays open when the failure behind it goes: somebody reads it. */
export function HelpPanel({ about, closed }: HelpPanelProps) {
  const panel = useRef<HTMLDialogElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (about === null) return;
    panel.current?.showModal();
    title.current?.focus();
  }, [about]);
  if (about === null) return null;
  return (
    <dialog
      class="help"
      ref={panel}
      aria-labelledby="help-title"
      onClose={closed}
      // Escape closes this and no more.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h2 id="help-title" ref={title} tabIndex={-1}>
        {about.message}
      </h2>
      {paragraphsOf(about)?.map((text) => (
        <p key={text}>
          {text
            .split('*')
            .map((part, at) => (at % 2 === 0 ? part : <strong key={part}>{part}</strong>))}
        </p>
      ))}
      <button class="button primary" type="button" onClick={() => panel.current?.close()}>
        {UI_TEXTS.close}
      </button>
    </dialog>
  );
}

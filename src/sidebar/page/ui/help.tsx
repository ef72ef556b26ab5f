// More about a failure: a link beside it, and a panel with the section of the troubleshooting page.

import { createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { RpcFailure } from '../../api/failure-view';
import { UI_TEXTS } from './texts';

/** A failure, or the part of it that is known for one of many. */
export type Explained = Pick<RpcFailure, 'kind' | 'message'> & { readonly why?: string };

const paragraphsOf = ({ kind, why }: Explained): readonly string[] | undefined =>
  __HELP__[why === undefined ? kind : `${kind} ${why}`]?.split('\n');

/** Opens the panel. */
export const HelpContext = createContext<(explained: Explained) => void>(() => {});

interface HelpLinkProps {
  readonly about: Explained;
  /** Left out: "Learn more". */
  readonly label?: string;
}

/** Shows nothing if there is no more to say about the failure. */
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
  /** The focus returns to its former element unless that has disappeared. */
  closed(): void;
}

/** The panel stays open if its failure is resolved, because a person is reading it. */
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
      // Escape closes only the panel.
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

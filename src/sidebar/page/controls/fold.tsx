// A part of a page that is folded away until it is wanted; Escape folds it again.
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface FoldProps {
  readonly id: string;
  readonly name: string;
  /** What is inside, in a few words, while it is folded. */
  readonly hint?: string;
  readonly isOpen: boolean;
  readonly describedBy?: string | undefined;
  toggle(isOpen: boolean): void;
  readonly children: ComponentChildren;
}

export function Fold({ id, name, hint = '', isOpen, describedBy, toggle, children }: FoldProps) {
  const summary = useRef<HTMLElement>(null);
  const onToggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void => {
    const isOpened = currentTarget.open;
    if (isOpened !== isOpen) toggle(isOpened);
    // Opened by what is wrong inside, it has the focus there, and that is what must be seen.
    if (isOpened && document.activeElement === summary.current)
      currentTarget.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !isOpen) return;
    // The nearest thing that is open is closed, and no more: what was typed stays.
    event.stopPropagation();
    toggle(false);
    summary.current?.focus();
  };
  return (
    <details class="fold" open={isOpen} onToggle={onToggle} onKeyDown={onKeyDown}>
      <summary ref={summary} id={id} aria-describedby={describedBy}>
        <span class="name">{name}</span>
        {!isOpen && hint !== '' && <span class="hint">{hint}</span>}
      </summary>
      {children}
    </details>
  );
}

// The quiet line above the bottom bar: how many products wait for the key's limit, and what is done.

interface WaitingLineProps {
  /** Empty where there is nothing to say. */
  readonly text: string;
}

/** The live region stays in the page: one that comes with its text may not be read out. */
export function WaitingLine({ text }: WaitingLineProps) {
  return (
    <div class="waiting" aria-live="polite">
      {text !== '' && <p>{text}</p>}
    </div>
  );
}

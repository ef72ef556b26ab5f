// The line at the top of every page: whose service, which key, how fast, and whether all is well.
import type { ChipText } from './summary';

interface ConnectionChipProps {
  readonly chip: ChipText;
  /** Leads to the Connection page; null while that is shown. */
  readonly open: (() => void) | null;
}

export function ConnectionChip({ chip, open }: ConnectionChipProps) {
  const look = `chip ${chip.tone}`;
  const content = (
    <>
      <span class="dot" aria-hidden="true" />
      {chip.parts.map((part, index) => (
        <span key={part} class={index === 0 ? 'gives-way' : 'stays'}>
          {index > 0 && <span class="between"> · </span>}
          {part}
        </span>
      ))}
    </>
  );
  if (open === null) return <p class={look}>{content}</p>;
  return (
    <button class={look} type="button" title="Open Connection" onClick={open}>
      {content}
    </button>
  );
}

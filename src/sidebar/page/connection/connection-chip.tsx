// The line at the top of every page: whose service, which key, how fast, and whether all is well.
import type { ChipText } from './summary';

interface ConnectionChipProps {
  readonly chip: ChipText;
}

export function ConnectionChip({ chip }: ConnectionChipProps) {
  return (
    <p class={`chip ${chip.tone}`}>
      <span class="dot" aria-hidden="true" />
      {chip.parts.map((part, index) => (
        <span key={part} class={index === 0 ? 'gives-way' : 'stays'}>
          {index > 0 && <span class="between"> · </span>}
          {part}
        </span>
      ))}
    </p>
  );
}

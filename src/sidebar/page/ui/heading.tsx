// What a page begins with: its title, and bones in place of what is not known yet.

export interface TitleProps {
  /** Takes the focus after a step, so that the title is read out. */
  readonly id: string;
  readonly text: string;
  readonly lead?: string;
  /** Where what follows speaks for itself to those who see it. */
  readonly isHeardOnly?: boolean;
}

export function Title({ id, text, lead, isHeardOnly = false }: TitleProps) {
  return (
    <>
      <h1 id={id} tabIndex={-1} class={isHeardOnly ? 'heard' : undefined}>
        {text}
      </h1>
      {lead !== undefined && <p class="lead">{lead}</p>}
    </>
  );
}

interface BonesProps {
  readonly rows: number;
}

export function Skeleton({ rows }: BonesProps) {
  return (
    <div class="bones" aria-hidden="true">
      {[...Array(rows).keys()].map((row) => (
        <div class="bone" key={row} />
      ))}
    </div>
  );
}

// The few signs that the page draws itself, so that nothing is told by colour alone.

interface IconProps {
  readonly path: string;
}

function Icon({ path }: IconProps) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={path} fill="currentColor" />
    </svg>
  );
}

/** A disc with an exclamation sign cut out of it. */
export function FailureIcon() {
  return <Icon path="M10 2a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM9 5.5v5.5h2V5.5zM9 12.5v2h2v-2z" />;
}

/** A disc with a tick cut out of it. */
export function DoneIcon() {
  return <Icon path="M10 2a8 8 0 1 1 0 16a8 8 0 0 1 0-16zM9 14l5.5-5.5L13 7l-4 4-2-2-1.5 1.5z" />;
}

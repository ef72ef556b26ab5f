// How work that moves is heard: the newest word, and no more than one every ten seconds.
import { useEffect, useState } from 'preact/hooks';

/** A screen reader that speaks without a break cannot be used for anything else. */
const PROGRESS_EVERY_MS = 10_000;

interface CalmProgressProps {
  /** Empty while nothing moves. */
  readonly text: string;
  pause(waitMs: number): Promise<void>;
}

export function CalmProgress({ text, pause }: CalmProgressProps) {
  const [heard, setHeard] = useState('');
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    if (isQuiet || text === heard) return;
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

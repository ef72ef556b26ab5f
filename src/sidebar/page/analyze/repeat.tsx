// After a run: the same again by itself, from the choice that it was started with, in one press.
import { useState } from 'preact/hooks';
import { AGAIN, againSettings } from '../schedule/again';
import type { Hands } from './buttons';
import { Picker } from './picker';
import type { RunView } from './state';

interface RepeatProps {
  readonly view: RunView;
  readonly hands: Hands;
}

/** "Every day at 6:00" in the middle of a sentence; names of days keep their letter. */
const inSentence = (name: string) => name.replace(/^Every/, 'every');

/** Nothing where it is not known what was chosen: in a run of before, or somebody else's. */
export function Repeat({ view, hands }: RepeatProps) {
  const [when, setWhen] = useState<string>(AGAIN[0][0]);
  const { ran } = hands.state;
  const { status, repeated } = view;
  if (ran === null || ran.jobId !== status.jobId || status.state !== 'finished') return null;
  if (repeated !== null && repeated !== 'asked') {
    return (
      <p class="again" role="status">
        Scheduled: {inSentence(repeated.name)}.{' '}
        <button class="link" type="button" onClick={() => hands.toSchedule()}>
          Open Schedule
        </button>
      </p>
    );
  }
  return (
    <div class="again">
      <Picker
        id="analyze-again"
        label="Repeat"
        value={when}
        options={AGAIN.map(([name, label]) => [name, label] as const)}
        choose={setWhen}
      />
      <button
        class="link"
        type="button"
        disabled={repeated === 'asked'}
        onClick={() => void hands.repeat(againSettings(ran.choice, when))}
      >
        {repeated === 'asked' ? 'Adding' : 'Schedule'}
      </button>
    </div>
  );
}

// The buttons at the top that change the world around the sheet: a day later, or a service in
// trouble.
import type { Circumstances, FromPage } from '../protocol';
import { element } from './elements';

const DAY_MS = 86_400_000;

export interface CircumstancesView {
  /** Announces what has changed, except for the state in which the page opens. */
  readonly show: (circumstances: Circumstances) => void;
}

export function createCircumstances(
  first: Circumstances,
  send: (message: FromPage) => void,
  say: (title: string, message: string) => void,
): CircumstancesView {
  const skip = element('skip-day', HTMLButtonElement);
  const troubles = {
    faults: element('faults', HTMLButtonElement),
    outage: element('outage', HTMLButtonElement),
  };
  let shown = first;
  const draw = (): void => {
    skip.disabled = false;
    for (const [trouble, button] of Object.entries(troubles))
      button.setAttribute('aria-pressed', String(shown.trouble === trouble));
  };
  skip.addEventListener('click', () => {
    skip.disabled = true;
    send({ kind: 'skip-day' });
  });
  for (const trouble of ['faults', 'outage'] as const)
    troubles[trouble].addEventListener('click', () =>
      send({ kind: 'trouble', trouble: shown.trouble === trouble ? 'none' : trouble }),
    );
  draw();
  return {
    show: (next) => {
      const was = shown;
      shown = next;
      draw();
      if (next.daysAhead !== was.daysAhead) say('One day later', dayText(next.daysAhead));
      else {
        const { title, message } = SAID[next.trouble];
        say(title, message);
      }
    },
  };
}

const SAID = {
  none: { title: 'The service is back', message: 'Calls are answered again.' },
  faults: {
    title: 'The service has faults',
    message: 'A quarter of the calls fail until you press it again.',
  },
  outage: { title: 'The service is out', message: 'Every call fails until you press it again.' },
} as const;

function dayText(daysAhead: number): string {
  const day = new Date(Date.now() + daysAhead * DAY_MS);
  const name = day.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
  return `It is ${name}. Prices have moved, and schedules that are due run now.`;
}

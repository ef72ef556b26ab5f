// The buttons at the top that change the world around the sheet: a day later, and a service that is out.
import type { Circumstances, FromPage } from '../protocol';
import { element } from './elements';

const DAY_MS = 86_400_000;

export interface CircumstancesView {
  /** Says what has changed, but for the state in which the page opens. */
  readonly show: (circumstances: Circumstances) => void;
}

export function createCircumstances(
  first: Circumstances,
  send: (message: FromPage) => void,
  say: (title: string, message: string) => void,
): CircumstancesView {
  const skip = element('skip-day', HTMLButtonElement);
  const outage = element('outage', HTMLButtonElement);
  let shown = first;
  const draw = (): void => {
    skip.disabled = false;
    outage.setAttribute('aria-pressed', String(shown.isOut));
  };
  skip.addEventListener('click', () => {
    skip.disabled = true;
    send({ kind: 'skip-day' });
  });
  outage.addEventListener('click', () => send({ kind: 'outage', isOut: !shown.isOut }));
  draw();
  return {
    show: (next) => {
      const was = shown;
      shown = next;
      draw();
      if (next.daysAhead !== was.daysAhead) say('One day later', dayText(next.daysAhead));
      else if (next.isOut) say('The service is out', 'Every call fails until you press it again.');
      else say('The service is back', 'Calls are answered again.');
    },
  };
}

function dayText(daysAhead: number): string {
  const day = new Date(Date.now() + daysAhead * DAY_MS);
  const name = day.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
  return `It is ${name}. Prices have moved, and schedules that are due run now.`;
}

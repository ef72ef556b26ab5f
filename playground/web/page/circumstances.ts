// The buttons at the top that change the world around the sheet: a day later, a service in trouble,
// another person at the keyboard, a sheet that is protected.
import type { Circumstances, FromPage } from '../protocol';
import { element } from './elements';

const DAY_MS = 86_400_000;

export interface CircumstancesView {
  /** Announces what has changed, except for the state in which the page opens. */
  readonly show: (circumstances: Circumstances) => void;
}

/** A button that stays pressed, and what its next press asks for. */
interface Toggle {
  readonly id: string;
  isPressed(now: Circumstances): boolean;
  pressed(isWanted: boolean): FromPage;
}

const TOGGLES: readonly Toggle[] = [
  ...(['faults', 'outage'] as const).map((trouble) => ({
    id: trouble,
    isPressed: (now: Circumstances) => now.trouble === trouble,
    pressed: (isWanted: boolean): FromPage => {
      return { kind: 'trouble', trouble: isWanted ? trouble : 'none' };
    },
  })),
  {
    id: 'second-person',
    isPressed: ({ isSecondPerson }) => isSecondPerson,
    pressed: (isWanted) => ({ kind: 'second-person', isWanted }),
  },
  {
    id: 'protect',
    isPressed: ({ protectedSheet }) => protectedSheet !== null,
    pressed: (isWanted) => ({ kind: 'protect', isWanted }),
  },
];

export function createCircumstances(
  first: Circumstances,
  send: (message: FromPage) => void,
  say: (title: string, message: string) => void,
): CircumstancesView {
  const skip = element('skip-day', HTMLButtonElement);
  const toggles = TOGGLES.map((toggle) => ({
    ...toggle,
    button: element(toggle.id, HTMLButtonElement),
  }));
  let shown = first;
  const draw = (): void => {
    skip.disabled = false;
    for (const { button, isPressed } of toggles)
      button.setAttribute('aria-pressed', String(isPressed(shown)));
  };
  skip.addEventListener('click', () => {
    skip.disabled = true;
    send({ kind: 'skip-day' });
  });
  for (const { button, isPressed, pressed } of toggles)
    button.addEventListener('click', () => send(pressed(!isPressed(shown))));
  draw();
  return {
    show: (next) => {
      const { title, message } = saidOf(shown, next);
      shown = next;
      draw();
      say(title, message);
    },
  };
}

/** What a change means for who is at the keyboard. */
function saidOf(was: Circumstances, now: Circumstances): { title: string; message: string } {
  if (now.daysAhead !== was.daysAhead)
    return { title: 'One day later', message: dayText(now.daysAhead) };
  if (now.isSecondPerson !== was.isSecondPerson)
    return PERSON[now.isSecondPerson ? 'second' : 'owner'];
  if (now.protectedSheet !== was.protectedSheet)
    return now.protectedSheet === null
      ? { title: 'The sheet is open again', message: 'Everybody may change it.' }
      : {
          title: 'The sheet is protected',
          message: `The add-on may change “${now.protectedSheet}” for its owner alone.`,
        };
  return SERVICE[now.trouble];
}

const PERSON = {
  owner: { title: 'You are the owner again', message: 'Open the sidebar to see their page.' },
  second: {
    title: 'You are an assistant now',
    message:
      'The owner has shared the spreadsheet and the key. Open the sidebar to see your own page.',
  },
} as const;

const SERVICE = {
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

// What many worlds of people have shown, and whether it is as few as it has to be.

import type { Seen, State } from './worlds';

/** Acts in a person's own cells and in the tab may leave no state wrong, those in hidden columns few of all. */
const HIDDEN_SHARE_MAX = 1 / 1_000;

/** A wrong state stays while the acts of its world go on: few worlds may have one such. */
const STATES_OF_A_WORLD = 4;

/** Worlds that are told in full, of each. */
const SHOWN_MAX = 20;

/** The state of each world that was wrong first. */
function firstsOf(states: readonly State[]): readonly State[] {
  const firsts = new Map<string, State>();
  for (const state of states) if (!firsts.has(state.world)) firsts.set(state.world, state);
  return [...firsts.values()];
}

/** The wrong states by the act after which they were seen first. */
function kindsIn(states: readonly State[]): string {
  const counts = new Map<string, number>();
  for (const { kinds } of firstsOf(states)) {
    const last = kinds.at(-1) ?? 'none';
    counts.set(last, (counts.get(last) ?? 0) + 1);
  }
  const sorted = [...counts].sort((one, other) => other[1] - one[1]);
  return sorted.map(([kind, count]) => `${kind} ${count}`).join(', ');
}

const lineOf = ({ world, kinds, wrongs }: State) =>
  `${world} [${kinds.join(', ')}] ${wrongs.length}: ${wrongs.slice(0, 2).join(' · ')}`;

export function summaryOf({ worlds, states, wrong }: Seen) {
  const all = states.open + states.hidden;
  const part = (name: 'open' | 'hidden', words: string) =>
    `${words}: ${wrong[name].length} of ${states[name]} states wrong ${kindsIn(wrong[name])}`.trim();
  const shown = [wrong.open, wrong.hidden].flatMap((some) => firstsOf(some).slice(0, SHOWN_MAX));
  const text = [
    ...shown.map(lineOf),
    part('open', "acts in a person's own cells and in the tab"),
    part('hidden', 'acts that reached into hidden columns'),
    `${worlds} worlds, ${all} states`,
  ].join('\n');
  const hiddenMax = Math.max(STATES_OF_A_WORLD, all * HIDDEN_SHARE_MAX);
  const isKept = wrong.open.length === 0 && wrong.hidden.length <= hiddenMax;
  return { text, isKept };
}

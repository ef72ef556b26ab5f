// What the Schedule page's messages and its tab say, read off the state for the eye and the ear.

import { concernOf } from '../../../analysis/failure';
import type { RpcFailure } from '../../rpc-contract';
import type { ScheduleLook } from '../../schedule-contract';
import { countText } from '../analyze/words';
import type { Messages, Remedy } from '../frame/page';
import type { Hands } from './buttons';
import type { Asked, ListView, Running, ScheduleState } from './state';

const REMOVED = 'runs no more. What it wrote stays in the sheet.';

const CLOCK_MISSING: RpcFailure = {
  kind: 'schedule',
  message: 'Nothing starts your schedules any more.',
  action: 'Set the clock again.',
};

type RemedyName = NonNullable<ScheduleLook['remedy']>;

/** What is wrong with all of them together, and the method that mends it. */
function troubleOf({ look }: ListView): readonly [RpcFailure, RemedyName | undefined] | null {
  if (look.problem !== undefined) return [look.problem, look.remedy];
  const { state, problem } = look.clock;
  if (state === 'missing') return [problem ?? CLOCK_MISSING, 'schedule.mend'];
  return problem === undefined ? null : [problem, undefined];
}

/** @param name the method of the server, where there is one. */
function remedyOf(
  failure: RpcFailure,
  name: RemedyName | undefined,
  { actions, toConnection }: Hands,
): Remedy | undefined {
  if (name === 'schedule.useHere')
    return { label: 'Use the schedules here', press: () => void actions.useHere() };
  if (name === 'schedule.mend')
    return { label: 'Set the clock again', press: () => void actions.mend() };
  return concernOf(failure.kind) === 'connection'
    ? { label: 'Open Connection', press: toConnection }
    : undefined;
}

const SPOKEN: Readonly<Record<Asked['act'], string>> = {
  add: 'Adding the schedule.',
  remove: 'Removing the schedule.',
  adopt: 'Taking the schedule over.',
  switch: '',
  mend: 'Setting the clock.',
  useHere: 'Taking the schedules over.',
  seen: '',
};

function spokenOf({ view, edit, running }: ScheduleState): string {
  if (view.at !== 'list') return '';
  if (edit?.isSaving) return 'Saving the schedule.';
  if (view.asked !== null) return SPOKEN[view.asked.act];
  if (running === null) return '';
  return running.isStopping ? 'Stopping.' : 'Running now.';
}

/** One sentence for those who do not see the bar move. */
function progressOf(running: Running | null): string {
  if (running === null || running.status === null || running.isStopping) return '';
  const { rows, left, failed } = running.status;
  const bad = failed === 0 ? '' : `, ${failed.toLocaleString()} failed`;
  return `${Math.max(0, rows - left).toLocaleString()} of ${countText(rows, 'row')} done${bad}.`;
}

export function messagesOf(hands: Hands): Messages {
  const { state } = hands;
  const { view, notice, running, past, edit } = state;
  if (view.at === 'loading') return {};
  if (view.at === 'unreached') return { failure: view.failure };
  const said = { spoken: spokenOf(state), progress: progressOf(running) };
  const own = view.failure ?? (past.at === 'failed' ? past.failure : null);
  if (own !== null) return { ...said, failure: own, remedy: remedyOf(own, undefined, hands) };
  const going = view.look.schedules.find(({ id }) => id === view.removing);
  const question = going === undefined ? null : `“${going.name}” ${REMOVED}`;
  // What concerns the others is told once this one is seen to.
  const trouble = edit === null && question === null ? troubleOf(view) : null;
  if (trouble === null) return { ...said, notice, question };
  const [failure, name] = trouble;
  const remedy = view.asked === null ? remedyOf(failure, name, hands) : undefined;
  return { ...said, failure, remedy };
}

/** Why somebody who is elsewhere should look: said of the tab. '' where nothing is new. */
export function newsOf({ view }: ScheduleState): string {
  if (view.at !== 'list') return '';
  const { digest, schedules } = view.look;
  if (troubleOf(view) !== null || schedules.some(({ problem }) => problem !== undefined))
    return 'needs attention';
  return digest === null ? '' : 'has news';
}

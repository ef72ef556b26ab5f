// What the Schedule page asks for, where answers cross each other.
import { expect, it } from '@jest/globals';
import { DIGEST, LOOK } from '../../../../playground/sidebar-states/schedule-replies';
import { createRunNow, createScheduleActions } from '../../../../src/sidebar/page/schedule/actions';
import type { ScheduleEvent } from '../../../../src/sidebar/page/schedule/state';
import { followed } from '../followed';

const page = () =>
  followed<ReturnType<typeof createScheduleActions>, ScheduleEvent>((rpc, dispatch, pause) =>
    createScheduleActions(rpc, dispatch, createRunNow(rpc, dispatch, pause)),
  );

it('news that were put away do not come back with a look that was asked for before', async () => {
  const { worker, answer, asked, types } = page();
  void worker.refresh();
  void worker.seen(DIGEST.atMs);
  await answer('schedule.seen', { ok: true, value: {} });
  await answer('schedule.look', { ok: true, value: { ...LOOK, digest: DIGEST } });
  expect(types()).toEqual(['actAsked', 'digestSeen']);
  expect(asked.map(({ method }) => method)).toEqual([
    'schedule.look',
    'schedule.seen',
    'schedule.look',
  ]);
  await answer('schedule.look', { ok: true, value: { ...LOOK, digest: null } });
  expect(types()).toEqual(['actAsked', 'digestSeen', 'lookArrived']);
});

it('a switch does not go back with a look that was asked for before it was pressed', async () => {
  const { worker, answer, asked, types } = page();
  const [schedule] = LOOK.schedules;
  const schedules = LOOK.schedules.map((one) => ({ ...one, isOn: true }));
  void worker.refresh();
  void worker.switchTo(schedule?.id ?? '', true);
  await answer('schedule.switch', { ok: true, value: { schedules } });
  await answer('schedule.look', { ok: true, value: LOOK });
  expect(types()).toEqual(['actAsked', 'actDone']);
  expect(asked.filter(({ method }) => method === 'schedule.look')).toHaveLength(3);
  await answer('schedule.look', { ok: true, value: { ...LOOK, schedules } });
  expect(types()).toEqual(['actAsked', 'actDone', 'lookArrived']);
});

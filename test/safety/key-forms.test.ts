// A service that says the key back in every form we know, and every place in which somebody could read it.

import { afterEach, expect, it } from '@jest/globals';
import type { Outcome } from 'apps-script-host/host';
import { CHOICE, type JobAtWork, sheetOf } from '../doors/bulk-list';
import {
  createWorld,
  type Envelope,
  FAST,
  GOOD,
  reply,
  type Says,
  type World,
} from '../doors/world';
import { ECHOES, SECRET, secretsIn } from './hostile-replies';

const ASINS = ['B0XKT7M4QN', 'B0B1C2D3E4', 'B0VNH3C6PD', 'B0TZ4LQ8KV'];

const SETTINGS = {
  ...{ task: { kind: 'formulas' }, recurrence: { kind: 'hourly' }, maxAgeHours: 1 },
  ...{ callsPerHour: null, quiet: null, rules: [] },
};

let world: World | undefined;
afterEach(() => world?.stop());

type Places = Readonly<Record<string, string>>;

/** All doors, with answers, refusals and failures that say the key back: what is there to be read afterwards. */
async function placesWith(echo: string): Promise<Places> {
  const sheet = sheetOf(ASINS);
  const shown: Record<'dialogs' | 'messages', string[]> = { dialogs: [], messages: [] };
  const said = (kind: keyof typeof shown) => (text: string, title: string) => {
    shown[kind].push(text + title);
  };
  const bodies = [
    { ...GOOD, echo, [echo]: echo, deep: { echo }, eligible: echo, restrictions: [echo] },
    { error: { message: `no: ${echo}`, request_id: echo } },
    { ...GOOD, asin: echo, market: echo, currency: echo },
  ];
  const says: Says = (_asin, _own, nth) =>
    reply(nth % 3 === 1 ? 400 : 200, bodies[nth % 3] ?? {}, {
      'x-request-id': echo,
      'retry-after': echo,
      ratelimit: echo,
    });
  const screen = {
    ...{ onDialog: said('dialogs'), onSidebar: said('dialogs') },
    ...{ onAlert: said('messages'), onToast: said('messages') },
  };
  const hostile = createWorld({ says, host: { documents: [sheet.document], screen } });
  world = hostile;
  const [cells, pages]: [Outcome[], Envelope[]] = [[], []];
  const rpc = async (method: string, payload: object = {}) => {
    const envelope = await hostile.rpc(method, payload);
    pages.push(envelope);
    return envelope;
  };
  pages.push(await hostile.connect({ ...FAST, apiKey: SECRET }));
  // A field that the key names is called by what hides it; what a formula says itself is its own.
  for (const fields of ['profit', 'echo', 'all', 'deep', 'eligible', '…'])
    for (const refresh of [1, 2]) {
      cells.push(await hostile.show('ANALYZE', ASINS[0], 'US', fields, refresh));
      cells.push(
        await hostile.show(
          'ANALYZE',
          ASINS.map((asin) => [asin]),
          'US',
          fields,
          refresh,
        ),
      );
    }
  cells.push(await hostile.show('ANALYZE_MAX_BUY', ASINS[0], 'US'));
  for (let checks = 0; checks < 3; checks += 1) await rpc('connection.check');
  const { value } = await rpc('jobs.start', { ...CHOICE, fields: ['profit', 'eligible'] });
  const { status, queue: products } = value as unknown as JobAtWork;
  const { jobId } = status;
  for (let asks = 0; asks < 3; asks += 1) {
    const asked = (await rpc('jobs.ask', { jobId, products, maxMs: 20_000 })).value;
    await rpc('jobs.record', { jobId, answers: asked?.answers ?? [], calls: asked?.calls ?? 0 });
  }
  await rpc('schedule.save', { id: 's1', settings: SETTINGS });
  await rpc('schedule.run', { id: 's1', maxMs: 10_000 });
  await rpc('waiting.work', { maxMs: 5_000 });
  for (const method of ['connection.status', 'list.look', 'jobs.status']) await rpc(method);
  for (const method of ['schedule.look', 'schedule.history']) await rpc(method);
  const clock = hostile.host.start({ functionName: 'onSchedule', args: [], door: 'clock' });
  await hostile.host.run();
  const menu = ['runDiagnostics', 'openSidebar', 'enableFunctions'].map((functionName) =>
    hostile.host.start({ functionName, args: [], door: 'menu' }),
  );
  await hostile.host.run();
  const others = await Promise.all([clock, ...menu]);
  const stored = (store: string) => {
    const { connection: _, ...rest } = hostile.host.stores.properties.read(store);
    return JSON.stringify(rest);
  };
  const crossed = hostile.crossed().split('\n');
  const json = (of: readonly Outcome[]) =>
    JSON.stringify(of.map(({ value: one, error }) => [one, error]));
  expect(hostile.requests.length).toBeGreaterThan(10);
  return {
    cells: json(cells),
    'the page': JSON.stringify(pages),
    'the sheet': JSON.stringify(sheet.values()),
    'the report and the sidebar': shown.dialogs.join('\n'),
    messages: shown.messages.join('\n'),
    'what the clock and the menu throw': json(others),
    logs:
      JSON.stringify([...cells, ...others].map(({ logs }) => logs)) +
      hostile.host.trace().join('\n'),
    'properties of the spreadsheet': stored('document/sheet-1'),
    'properties of the person': stored('user/owner@example.com'),
    caches: crossed.filter((call) => call.includes('"cache.')).join('\n'),
  };
}

it('the key, said back by the service is in no form in any place', async () => {
  const seen: string[] = [];
  let places = 0;
  for (const [form, echo] of Object.entries(ECHOES)) {
    const texts = await placesWith(echo);
    for (const [place, text] of Object.entries(texts)) {
      places += 1;
      expect([place, text.length > 2]).toEqual([place, true]);
      if (secretsIn(text) > 0) seen.push(`${form}, in ${place}`);
    }
    await world?.stop();
  }
  const forms = Object.keys(ECHOES).length;
  process.stdout.write(`Key: ${forms} forms × ${places / forms} places: seen in ${seen.length}\n`);
  expect(seen).toEqual([]);
});

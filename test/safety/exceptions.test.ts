// A mistake of ours whose text holds a secret: through each door it is told by its name alone.

import { afterEach, describe, expect, it } from '@jest/globals';
import { BUILT, distIn } from '../build-once';
import { createWorld, type World } from '../doors/world';

const UNTOLD = 'what nobody may read';

/** In the place of a service: whoever calls it meets a mistake in the program, as a bug of ours would be. */
const BREAKS = `
var whole = PropertiesService;
PropertiesService = {
  getUserProperties: function () { return whole.getUserProperties(); },
  getDocumentProperties: function () {
    if (CacheService.getDocumentCache().get('broken') !== null)
      throw new TypeError('cannot read ${UNTOLD}');
    return whole.getDocumentProperties();
  }
};
function breakDown() { CacheService.getDocumentCache().put('broken', '1'); }
`;

let world: World;
afterEach(() => world.stop());

describe('the text of a mistake of ours', () => {
  it('stays out of cells, the page, the clock, the trouble log and the report', async () => {
    const { code, ...dist } = distIn(BUILT);
    const shown: string[] = [];
    const keep = (text: string) => {
      shown.push(text);
    };
    world = createWorld({
      host: {
        dist: { ...dist, code: `${code}\n${BREAKS}` },
        screen: { onDialog: keep, onAlert: keep, onToast: keep, onSidebar: keep },
      },
    });
    await world.connect();
    const end = async (
      functionName: string,
      door: 'menu' | 'clock',
      args: readonly unknown[] = [],
    ) => world.run({ functionName, args, door });
    await end('breakDown', 'menu');
    const cell = await world.show('ANALYZE', 'B0VNH3C6PD', 'US');
    expect(cell.error?.message).toBe(
      'Not analyzed: something went wrong in the add-on (TypeError)',
    );
    const page = await world.rpc('connection.status');
    expect(page).toMatchObject({ ok: false, failure: { kind: 'internal' } });
    const outcomes = [cell, page, await end('onSchedule', 'clock')];
    outcomes.push(await end('runDiagnostics', 'menu'));
    outcomes.push(await end('openSidebar', 'menu'));
    expect(shown.join('\n')).toContain('TypeError');
    for (const text of [JSON.stringify(outcomes), shown.join('\n'), world.crossed()])
      expect(text).not.toContain(UNTOLD);
  });
});

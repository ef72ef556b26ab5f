// The playground's command: what it refuses, and how it ends.
import { describe, expect, it } from '@jest/globals';
import { startPlayground } from './playground-process';

describe('the command', () => {
  it('says which cells a refused key left without an answer, and fails', async () => {
    const refused = startPlayground('--headless', '--key', 'demo-key-revoked');
    const { code, output } = await refused.ended;
    expect(output).toMatch(/Not answered: .*D2/);
    expect(code).toBe(1);
  });

  it('refuses what it does not know, and a port that is taken', async () => {
    const unknown = await startPlayground('--fast').ended;
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('--fast') });
    const { port } = new URL(await startPlayground('--port', '0').address);
    const taken = await startPlayground('--port', port).ended;
    expect(taken).toMatchObject({ code: 1, output: expect.stringContaining('is taken') });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('stops cleanly on %s', async (signal) => {
    const { child, address, ended } = startPlayground('--port', '0');
    await address;
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, output: expect.stringContaining('Stopped.') });
  });
});

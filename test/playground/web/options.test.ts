// The command line of `npm start`: what it takes, and what it says of what it does not.
import { describe, expect, it } from '@jest/globals';
import { DEMO_KEY } from '../../../playground/api/keys';
import { readOptions } from '../../../playground/web/options';

describe('options of the playground', () => {
  it('have defaults', () => {
    expect(readOptions([])).toEqual({
      port: 4173,
      keyName: DEMO_KEY,
      slow: false,
      firstRun: false,
      headless: false,
      help: false,
    });
  });

  it('are read from the command line', () => {
    const args = [
      '--port',
      '0',
      '--key',
      'demo-key-revoked',
      '--slow',
      '--first-run',
      '--headless',
    ];
    expect(readOptions(args)).toMatchObject({
      port: 0,
      keyName: 'demo-key-revoked',
      slow: true,
      firstRun: true,
      headless: true,
    });
  });

  it.each([
    [['--prot', '1'], '--prot'],
    [['--port', 'abc'], '"abc"'],
    [['--port', '70000'], '65535'],
    [['--port'], '--port'],
    [['--key', 'mine'], '"mine"'],
    [['stray'], 'stray'],
  ])('%j are refused with a word about %s', (args, word) => {
    const read = readOptions(args);
    expect('problem' in read && read.problem).toContain(word);
  });
});

// Mistakes of whoever writes a test: an error names what is wrong and what is right.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commandLine } from '../src/command-line';
import { createHost, type ProjectHostOptions } from '../src/project-host';

const files = { 'Code.gs': 'function f() {}' };

/** A test in JavaScript has no types that hold it back. */
const made = (options: object) => () => createHost(options as ProjectHostOptions);

describe('an option', () => {
  it.each([
    [{ limits: { urlFetchPerDya: 1 } }, 'no option limits.urlFetchPerDya. Is it urlFetchPerDay?'],
    [{ profil: 'web' }, 'there is no option profil. Is it profile?'],
    [{ nonsense: 1 }, 'there is no option nonsense. There are files, projectDir,'],
    [{ clock: 'fast' }, "clock takes 'virtual', 'real', not 'fast'."],
    [{ profile: 'document' }, "profile takes 'bound', 'add-on', 'web', not 'document'."],
    [{ seed: 'x' }, "seed takes a number from -Infinity on, not 'x'."],
    [{ latency: 'slow' }, "latency takes 'modelled', 'none', not 'slow'."],
    [{ faults: 0.5 }, 'faults takes an object such as { rate: 0.01 }, not 0.5.'],
    [{ faults: { rate: 5 } }, 'faults.rate takes a number from 0 to 1, not 5.'],
    [
      { limits: { urlFetchPerDay: '1' } },
      "limits.urlFetchPerDay takes a number from 0 on, not '1'.",
    ],
    [
      { sites: { 'https://a.example/x': () => '' } },
      "sites takes host names, not addresses: 'a.example' instead of 'https://a.example/x'.",
    ],
    [{ sites: { 'a.example': 'ok' } }, "sites['a.example'] takes a function, not 'ok'."],
    [{ cells: [] }, "cells takes rows of cells, such as [['price', 12.5]], not []."],
    [{ cells: ['a'] }, 'cells takes rows of cells'],
    [{ documents: { x: [] } }, "documents['x'] takes rows of cells"],
    [{ answers: 'YES' }, "answers takes answers to dialogs, one after the other, such as ['YES'"],
    [{ services: { GmailApp: 1 } }, 'services.GmailApp takes an object with functions, not 1.'],
    [{ anwsers: [] }, 'there is no option anwsers. Is it answers?'],
  ])('such as %j is told', (options, said) => {
    expect(made({ files, ...options })).toThrow(said);
  });

  it('that leaves the project out is told', () => {
    expect(made({})).toThrow('createHost takes either files');
    expect(made({ files, projectDir: '.' })).toThrow('createHost takes either files');
    expect(made({ files: { 'Code.gs': 1 } })).toThrow("files['Code.gs'] takes a text, not 1.");
  });
});

it('a crash at no call is told', () => {
  const host = createHost({ files });
  expect(() => host.kill({ beforCall: 1 } as never)).toThrow(
    'kill takes { beforeCall: 1 } or { afterCall: 1 }, counted from 1, not {"beforCall":1}.',
  );
  expect(() => host.kill({ beforeCall: 0 })).toThrow('counted from 1');
});

it('a function of Sheets in host.cell is told where it is worked out', async () => {
  const host = createHost({ files, cells: [[1], [2]] });
  await expect(host.cell('=SUM(A1:A2)')).rejects.toThrow(
    "await host.edit('B1', [['=SUM(A1:A2)']]), then host.values('B1')",
  );
  await host.edit('B1', [['=SUM(A1:A2)']]);
  expect(host.values('B1')).toEqual([[3]]);
});

it('a folder with a slip in its name is told, to a test and to the command', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slip-'));
  try {
    mkdirSync(join(folder, 'project'));
    writeFileSync(join(folder, 'project', 'Code.gs'), 'function f() {}');
    const wrong = join(folder, 'projet');
    expect(made({ projectDir: wrong })).toThrow(`There is no folder ${wrong}. Is it project?`);
    const { exitCode, aside } = await commandLine(['run', wrong, 'f']);
    expect([exitCode, aside]).toEqual([1, `There is no folder ${wrong}. Is it project?`]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a fetch from a site that the test does not have says how to add one', async () => {
  const code =
    "function f() { return UrlFetchApp.fetch('https://api.example.com/x?y=1').getContentText(); }";
  const { error } = await createHost({ files: { 'Code.gs': code } }).run('f');
  expect(error?.message).toBe(
    "DNS error: https://api.example.com/x?y=1 (no such site here; add it: createHost({ sites: { 'api.example.com': (request) => 'text' } }))",
  );
});

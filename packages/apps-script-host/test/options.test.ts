// What a test gives to a host besides its project: answers, services, other spreadsheets, and the mistakes in
// all of it, of which an error names what is wrong and what is right.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { commandLine } from '../src/command-line';
import { type BroughtServices, createHost, type ProjectHostOptions } from '../src/project-host';

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

describe('an answer to a dialog', () => {
  const files = {
    'Code.gs': `
    function clear() {
      const ui = SpreadsheetApp.getUi();
      const reply = ui.alert('Clear', 'Delete all rows?', ui.ButtonSet.YES_NO);
      return reply === ui.Button.YES ? 'cleared' : reply === ui.Button.NO ? 'kept' : String(reply);
    }
    function greet() {
      const reply = SpreadsheetApp.getUi().prompt('Your name?', SpreadsheetApp.getUi().ButtonSet.OK_CANCEL);
      return [String(reply.getSelectedButton()), reply.getResponseText()];
    }
    function older() {
      return [Browser.msgBox('Go on?', Browser.Buttons.YES_NO_CANCEL),
        Browser.msgBox('Title', 'Go on?', Browser.Buttons.OK_CANCEL), Browser.inputBox('Name?')];
    }
    function tell() { return [String(SpreadsheetApp.getUi().alert('Done.')), Browser.msgBox('Done.')]; }
    function dare() { try { return clear(); } catch (error) { return 'caught'; } }`,
  };

  const run = async (name: string, answers?: ProjectHostOptions['answers']) => {
    const host = createHost({ files, ...(answers !== undefined && { answers }) });
    const { value, error } = await host.run(name);
    return { value, said: error?.message, host };
  };

  it('is the next of the answers, and is in the list of dialogs', async () => {
    expect((await run('clear', ['YES'])).value).toBe('cleared');
    const { value, host } = await run('clear', ['NO']);
    expect(value).toBe('kept');
    expect(host.dialogs()).toEqual([
      {
        ...{ kind: 'choice', title: 'Clear', message: 'Delete all rows?', buttons: 'YES_NO' },
        ...{ button: 'NO', text: '' },
      },
    ]);
    expect((await run('clear', ['CLOSE'])).value).toBe('CLOSE');
    expect((await run('greet', ['Ann'])).value).toEqual(['OK', 'Ann']);
    expect((await run('greet', [{ button: 'CANCEL' }])).value).toEqual(['CANCEL', '']);
  });

  it('may be a function, which is asked each time', async () => {
    const { value } = await run('clear', ({ message }) =>
      message.includes('rows') ? 'NO' : 'YES',
    );
    expect(value).toBe('kept');
  });

  it('has the texts of the older way to ask', async () => {
    const answers = ['NO', { button: 'CLOSE' as const }, 'Ann'];
    expect((await run('older', answers)).value).toEqual(['no', 'cancel', 'Ann']);
  });

  it('is an error where there is none, which a script cannot catch', async () => {
    const said =
      'Nobody answers the dialog "Delete all rows?" (YES, NO). Say what a person does: ' +
      "createHost({ answers: ['YES'] }).";
    expect((await run('clear')).said).toBe(said);
    expect((await run('dare')).said).toBe(said);
    expect((await run('greet')).said).toMatch(/"Your name\?" .*answers: \['what is typed'\]/);
  });

  it('is an error where the dialog has no such button', async () => {
    expect((await run('clear', ['OK'])).said).toBe(
      'The dialog "Delete all rows?" has the buttons YES, NO, and OK is none of them.',
    );
  });

  it('is not needed where OK is all there is', async () => {
    expect((await run('tell')).value).toEqual(['OK', 'ok']);
  });
});

describe('services that a test brings', () => {
  function hostWith(services: BroughtServices, body: string) {
    const dependencies = { libraries: [{ userSymbol: 'Lib', libraryId: 'x', version: '1' }] };
    const manifest = JSON.stringify({ dependencies });
    const files = { 'appsscript.json': manifest, 'Code.gs': `function f() { ${body} }` };
    return createHost({ files, services });
  }

  it('are called with what the script gives, and the calls are kept', async () => {
    const sent: unknown[] = [];
    const host = hostWith(
      { GmailApp: { sendEmail: (...args: unknown[]) => void sent.push(args) } },
      `GmailApp.sendEmail('a@example.com', 'Hello', 'Text', {
       attachments: [Utilities.newBlob('x,y', 'text/csv', 'list.csv')], noReply: true });
     return new Date(0) instanceof Date;`,
    );
    const { ok } = await host.run('f');
    expect(ok).toBe(true);
    const attachments = [{ name: 'list.csv', contentType: 'text/csv', bytes: [120, 44, 121] }];
    const call = ['a@example.com', 'Hello', 'Text', { attachments, noReply: true }];
    expect(sent).toEqual([call]);
    expect(host.calls('GmailApp.sendEmail')).toEqual([call]);
    expect(host.trace().join('\n')).toMatch(/brought\.call GmailApp\.sendEmail/);
  });

  it('give objects with functions, which may come back as arguments', async () => {
    class File {
      constructor(readonly name: string) {}
      getName() {
        return this.name;
      }
    }
    const made: File[] = [];
    const services = {
      DriveApp: {
        getRootFolder: () => ({
          createFile: (name: string) => {
            made.push(new File(name));
            return made.at(-1);
          },
          addFile: (file: unknown) => made.includes(file as File),
          getFiles: () => made,
        }),
      },
    };
    const host = hostWith(
      services,
      `const root = DriveApp.getRootFolder();
     const file = root.createFile('a.txt');
     root.createFile('b.txt');
     return [file.getName(), root.addFile(file), root.addFile({}), root.getFiles().map((each) => each.getName())];`,
    );
    expect((await host.run('f')).value).toEqual(['a.txt', true, false, ['a.txt', 'b.txt']]);
    expect(host.calls('DriveApp.getRootFolder().createFile')).toEqual([['a.txt'], ['b.txt']]);
  });

  it('may be libraries, and members that a service lacks', async () => {
    const services = { Lib: { twice: (n: number) => 2 * n }, Charts: { newPieChart: () => 'pie' } };
    const host = hostWith(services, 'return [Lib.twice(21), Charts.newPieChart()];');
    expect((await host.run('f')).value).toEqual([42, 'pie']);
  });

  it('fail as the test says, and the script can catch that', async () => {
    const services = {
      GmailApp: {
        sendEmail() {
          throw new Error('Service invoked too many times');
        },
      },
    };
    const host = hostWith(
      services,
      'try { GmailApp.sendEmail() } catch (error) { return String(error) }',
    );
    expect((await host.run('f')).value).toBe('Exception: Service invoked too many times');
  });

  it('answer at once, as those of Google do', async () => {
    const host = hostWith({ GmailApp: { getAliases: async () => [] } }, 'GmailApp.getAliases()');
    expect((await host.run('f')).error?.message).toBe(
      "GmailApp.getAliases() gives a promise, but a service of Google's answers at once.",
    );
  });

  it('are named where one is missing', async () => {
    const host = hostWith({ GmailApp: { sendEmail: () => {} } }, "GmailApp.search('x')");
    expect((await host.run('f')).error?.message).toBe(
      'GmailApp.search is not emulated. A test can bring it: createHost({ services: { GmailApp: { search() { … } } } })',
    );
  });
});

describe('other spreadsheets', () => {
  const files = {
    'Code.gs': `
    const ID = 'prices-2026';
    function both() {
      const own = SpreadsheetApp.getActive().getSheets()[0];
      const book = SpreadsheetApp.openById(ID);
      const sheet = SpreadsheetApp.openByUrl(book.getUrl()).getSheets()[0];
      sheet.appendRow(['c', 3]);
      own.getRange('A1').setValue(sheet.getRange('B3').getValue() + sheet.getLastRow());
      sheet.getRange('C1').setFormula('=SUM(B1:B3)');
      book.insertSheet('Log').getRange('A1').setValue('done');
      return [book.getName(), sheet.getParent().getId(), book.getActiveSheet().getName(), own.getLastRow(),
        sheet.getRange('A1:B3').getValues(), SpreadsheetApp.getActive().getNumSheets(), book.getNumSheets()];
    }
    function copy() {
      const book = SpreadsheetApp.openById(ID);
      const copy = book.getSheets()[0].copyTo(SpreadsheetApp.getActive());
      const back = copy.copyTo(book);
      return [copy.getName(), copy.getRange('A2').getValue(), copy.getParent().getId() === ID, back.getParent().getId() === ID];
    }
    function make() {
      const book = SpreadsheetApp.create('Report', 5, 3);
      const sheet = book.getSheets()[0].appendRow(['x', 2, '=B1*2']);
      SpreadsheetApp.flush();
      return [book.getId(), book.getName(), sheet.getMaxRows(), sheet.getMaxColumns(), SpreadsheetApp.openById(book.getId()).getName()];
    }
    function across() {
      SpreadsheetApp.openById(ID).getSheets()[0].getRange('A1').copyTo(SpreadsheetApp.getActive().getRange('A1'));
    }
    function open(id) { SpreadsheetApp.openById(id); }`,
  };

  const documents = {
    'prices-2026': [
      ['a', 1],
      ['b', 2],
    ],
  };

  it('are opened by id and address, and each keeps its own cells', async () => {
    const host = createHost({ files, documents });
    const { value, error } = await host.run('both');
    expect([error, value]).toEqual([
      undefined,
      [
        ...['prices-2026', 'prices-2026', 'Log', 1],
        [
          ['a', 1],
          ['b', 2],
          ['c', 3],
        ],
        ...[1, 2],
      ],
    ]);
    expect(host.values('A1')).toEqual([[6]]);
    expect(host.values('A1:C1', 'prices-2026')).toEqual([['a', 1, 6]]);
    expect(host.values('Log!A1', 'prices-2026')).toEqual([['done']]);
  });

  it('take sheets from each other', async () => {
    const host = createHost({ files, documents });
    expect((await host.run('copy')).value).toEqual(['Copy of Sheet1', 'b', false, true]);
  });

  it('are made by a script, and their formulas are worked out', async () => {
    const host = createHost({ files, documents });
    const { value } = await host.run('make');
    const [id, ...told] = value as [string];
    expect(told).toEqual(['Report', 5, 3, 'Report']);
    expect(host.values('A1:C1', id)).toEqual([['x', 2, 4]]);
  });

  it('share no ranges', async () => {
    const host = createHost({ files, documents });
    expect((await host.run('across')).error?.message).toBe(
      'Target range and source range must be on the same spreadsheet.',
    );
  });

  it('are missing where a test has none, to a script and to the test', async () => {
    const host = createHost({ files, documents });
    expect((await host.run('open', 'budget')).error?.message).toBe(
      "Document budget is missing (perhaps it was deleted, or you don't have read access?)",
    );
    expect(() => host.values('A1', 'budget')).toThrow(
      'There is no spreadsheet budget. There are the-spreadsheet, prices-2026.',
    );
  });
});

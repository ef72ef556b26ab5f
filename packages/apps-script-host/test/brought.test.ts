// Services that a test brings for what is not emulated.

import { expect, it } from '@jest/globals';
import { type BroughtServices, createHost } from '../src/project-host';

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

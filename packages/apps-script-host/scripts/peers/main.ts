// The command `npm run peers -w apps-script-host -- FOLDER`: runs the assertions of gas-fakes' test suite
// (github.com/brucemcpherson/gas-fakes), which its author runs at Google too, against this host.
//
// FOLDER is a clone of that project. Nothing of it is a part of this one. Further words are names of
// test files; left out: all of which the host has something. --why says for what reasons assertions
// could not be decided.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHost } from '../../src/project-host';
import { prepareFile } from './suite';

/** The files that test services of which the host has something. */
const FILES: readonly string[] = [
  ...['testsheets', 'testsheetsvalues', 'testsheetssets', 'testsheetsdatavalidations'],
  ...['testsheetstext', 'testsheetsrange', 'testsheetsdeveloper', 'testsheetsexotics'],
  ...['testsheetspermissions', 'testsheetschart', 'testsheetsdata', 'testsheetsvui'],
  ...['testconditionalformat', 'testenums', 'teststores', 'testlock', 'testutilities'],
  ...['testfetch', 'testsession', 'testscriptapp', 'testhtmlservice', 'testcontent'],
  ...['testchartsapp', 'testmimetype', 'testlogger', 'testfiddler'],
];

/** What the adapter has in place of the peer's helpers, which need Drive. */
const ADAPTED: readonly string[] = ['maketss', 'trasher', 'wrapupTest'];

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notApplicable: number;
}

interface Failure {
  readonly line: number;
  readonly reason: string;
  /** Assertions that cannot be decided for this reason. Left out: one has failed. */
  readonly left?: number;
}

export interface FileReport extends Counts {
  readonly file: string;
  readonly failures: readonly Failure[];
}

const NONE: Counts = { passed: 0, failed: 0, notApplicable: 0 };

const plus = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  notApplicable: one.notApplicable + other.notApplicable,
});

const SCOPES = [
  ...['spreadsheets', 'script.external_request', 'script.container.ui', 'script.scriptapp'],
  ...['userinfo.email', 'script.send_mail'],
].map((name) => `https://www.googleapis.com/auth/${name}`);

/** Sites that the suite asks, as far as its assertions suppose. */
const SITES = {
  'picsum.photos': () => ({ headers: { 'Content-Type': 'image/jpeg' }, body: 'picture' }),
  'suggestqueries.google.com': () => ({
    headers: { 'Content-Type': 'text/javascript; charset=UTF-8' },
    body: '["q",["one","two"]]',
  }),
};

/** Assertions suppose the zone of the suite's own manifest. */
function timeZoneOf(folder: string): string {
  const manifest = join(folder, 'test', 'appsscript.json');
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).timeZone : 'Etc/UTC';
}

export async function judge(folder: string, file: string): Promise<FileReport> {
  const read = (name: string) => readFileSync(join(folder, 'test', `${name}.js`), 'utf8');
  const { code, sections } = prepareFile(read(file));
  const helper = (name: string) =>
    prepareFile(read(name), ADAPTED).code.replace(/\n;peer\.tests = [\s\S]*$/, '');
  const realm = readFileSync(join(__dirname, 'realm.js'), 'utf8');
  const host = createHost({
    files: {
      'appsscript.json': JSON.stringify({ timeZone: timeZoneOf(folder), oauthScopes: SCOPES }),
      'Code.gs': [helper('testfixes'), realm, helper('testassist'), `{\n${code}\n}`].join('\n'),
    },
    latency: 'none',
    sites: SITES,
  });
  await host.run('prepareBook');
  let counts = NONE;
  const failures: Failure[] = [];
  for (const [at, { line, assertions }] of sections.entries()) {
    const { ok, value, error } = await host.run('playSection', at);
    if (ok && value !== undefined) {
      const { failures: found, ...rest } = JSON.parse(String(value)) as FileReport;
      counts = plus(counts, rest);
      failures.push(...found);
    } else {
      const isMissing = / is not emulated/.test(error?.message ?? '');
      const failed = isMissing ? 0 : 1;
      const left = Math.max(0, assertions - failed);
      const reason = `The section ended: ${error?.message}`;
      counts = plus(counts, { passed: 0, failed, notApplicable: left });
      failures.push({ line, reason, ...(isMissing && { left }) });
    }
  }
  await host.stop();
  return { file, ...counts, failures };
}

function tableLine(name: string, { passed, failed, notApplicable }: Counts): string {
  const numbers = [passed + failed, passed, failed, notApplicable];
  return name.padEnd(28) + numbers.map((each) => String(each).padStart(16)).join('');
}

async function main(words: readonly string[]): Promise<void> {
  const [folder, ...named] = words.filter((word) => word !== '--why');
  if (folder === undefined || !existsSync(join(folder, 'test')))
    throw new Error('Name a folder with a clone of github.com/brucemcpherson/gas-fakes.');
  const heads = ['decided', 'passed', 'failed', 'not applicable'];
  console.log('file'.padEnd(28) + heads.map((head) => head.padStart(16)).join(''));
  let all = NONE;
  const reasons = new Map<string, number>();
  for (const file of named.length > 0 ? named : FILES) {
    const report = await judge(folder, file);
    all = plus(all, report);
    console.log(tableLine(file, report));
    for (const { line, reason, left } of report.failures)
      if (left === undefined) console.log(`  ${file}.js:${line} ${reason}`);
      else reasons.set(reason, (reasons.get(reason) ?? 0) + left);
  }
  console.log(tableLine('all', all));
  if (!words.includes('--why')) return;
  const inOrder = [...reasons].sort(([, one], [, other]) => other - one);
  for (const [reason, count] of inOrder) if (count > 0) console.log(`${count} ${reason}`);
}

if (require.main === module) void main(process.argv.slice(2));

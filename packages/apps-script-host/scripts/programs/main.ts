// The command `npm run programs -w apps-script-host -- FOLDER`: loads programs that others have published, as
// they are, and says for each whether its main job works. FOLDER has a checkout of each repository as
// OWNER/NAME; without a folder it prints how to get them. Nothing of them is a part of this project.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readProject } from '../../src/project-files';
import { createHost } from '../../src/project-host';
import { PROGRAMS, type Program } from './list';

export interface Judgement {
  readonly program: Program;
  /** null: its main job works. */
  readonly failure: string | null;
}

/** A folder of the repository, or single files of it. */
function filesOf(checkout: string, paths: readonly string[]) {
  const read = paths.flatMap((path) => {
    const place = join(checkout, path);
    if (statSync(place).isDirectory()) return Object.entries(readProject(place));
    return [[basename(place), readFileSync(place, 'utf8')] as const];
  });
  return Object.fromEntries(read);
}

/** An empty text where git does not know: a folder without a history. */
function commitOf(checkout: string): string {
  if (!existsSync(join(checkout, '.git'))) return '';
  return execFileSync('git', ['-C', checkout, 'rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
}

export async function judge(folder: string, program: Program): Promise<Judgement> {
  const checkout = join(folder, program.repository);
  if (!existsSync(checkout)) return { program, failure: 'is not in the folder' };
  const commit = commitOf(checkout);
  if (commit !== '' && commit !== program.commit)
    return { program, failure: `is at ${commit.slice(0, 8)}` };
  try {
    const files = {
      ...filesOf(checkout, program.files),
      ...(program.driver !== undefined && { 'Driver.gs': program.driver }),
    };
    const host = createHost({ latency: 'none', ...program.options, files });
    const found = await program.play(host);
    await host.stop();
    if (isDeepStrictEqual(found, program.expected)) return { program, failure: null };
    const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 200);
    return { program, failure: `${shown(found)} instead of ${shown(program.expected)}` };
  } catch (error) {
    return { program, failure: String((error as Error).message).split('\n')[0] ?? '' };
  }
}

async function main([folder]: readonly string[]): Promise<void> {
  if (folder === undefined) {
    const commits = new Map(PROGRAMS.map(({ repository, commit }) => [repository, commit]));
    for (const [repository, commit] of commits)
      console.log(
        `git clone https://github.com/${repository} FOLDER/${repository} && git -C FOLDER/${repository} checkout ${commit}`,
      );
    return;
  }
  let working = 0;
  for (const program of PROGRAMS) {
    const { failure } = await judge(folder, program);
    if (failure === null) working += 1;
    const name = `${program.repository}@${program.commit.slice(0, 8)} ${program.files.join(' ')}`;
    console.log(`${failure === null ? 'works' : 'FAILS'} ${name}: ${program.job}`);
    if (failure !== null) console.log(`      ${failure}`);
  }
  console.log(`${working} of ${PROGRAMS.length} programs do their main job.`);
  if (working < PROGRAMS.length) process.exitCode = 1;
}

if (require.main === module) void main(process.argv.slice(2));

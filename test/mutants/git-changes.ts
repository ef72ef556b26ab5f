// Which files changed since a commit, and which commit that is unless somebody names one.
import { execFileSync } from 'node:child_process';

export interface GitChanges {
  readonly paths: readonly string[];
  /** The hash of the commit that is checked out. */
  readonly commit: string;
}

/**
 * @param since left out: where this branch left the default one; on that, the commit before. A clone of
 * one commit tells of no change.
 */
export function gitChanges(root: string, since: string | undefined): GitChanges {
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const tried = (...args: readonly string[]) => {
    try {
      return git(...args).trim();
    } catch {
      return undefined;
    }
  };
  const commit = git('rev-parse', 'HEAD').trim();
  const branch = ['origin/HEAD', 'main', 'master'].find(
    (name) => tried('rev-parse', '--verify', '--quiet', name) !== undefined,
  );
  const left = branch && tried('merge-base', 'HEAD', branch);
  const before = tried('rev-parse', '--verify', '--quiet', 'HEAD~1');
  const base = since ?? (left && left !== commit ? left : before);
  const lines = (text: string) => text.split('\n').filter((line) => line !== '');
  const changed = base === undefined ? [] : lines(git('diff', '--name-only', base));
  const added = lines(git('ls-files', '--others', '--exclude-standard'));
  return { paths: [...changed, ...added], commit };
}

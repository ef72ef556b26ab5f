// The playground's command as a process of its own, which ends with the tests that started it.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const ROOT = join(__dirname, '../..');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

const started: ChildProcess[] = [];

/**
 * What `npm start` runs after building, but for the command `tsx` around it, which kills for good
 * whoever has not heard a signal after 60 ms.
 */
export function startPlayground(...args: readonly string[]) {
  const command = ['--import', 'tsx', 'playground/web/main.ts', ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT });
  started.push(child);
  let output = '';
  const waiting: (() => void)[] = [];
  const take = (chunk: Buffer): void => {
    output += chunk.toString();
    for (const look of waiting) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
  const address = new Promise<string>((resolve, reject) => {
    waiting.push(() => {
      const [, found] = /Playground\s+(\S+)[\s\S]*Stop with/.exec(output) ?? [];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(output)));
  });
  // Whoever only waits for the end does not want the address.
  address.catch(() => undefined);
  return { child, ended, address };
}

afterAll(() => {
  for (const child of started) child.kill();
});

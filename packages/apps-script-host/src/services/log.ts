// Logger and console: lines collected for each execution. They cost no call.

import type { ScriptHalf } from '../service';

type NoCalls = Record<never, never>;

/** Formats like printf, as both do: %s, %d, %i, %f, %o, %j. Remaining arguments are appended. */
function formatted(parts: readonly unknown[]): string {
  const rest = [...parts];
  const first = rest.shift();
  if (typeof first !== 'string') return parts.map(inWords).join(' ');
  const text = first.replace(/%[sdifoj]/g, (place) =>
    rest.length ? inWords(rest.shift()) : place,
  );
  return [text, ...rest.map(inWords)].join(' ');
}

function inWords(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return String(value);
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

type ConsoleObject = Pick<Console, 'log' | 'info' | 'warn' | 'error' | 'time' | 'timeEnd'>;

export const logScript: ScriptHalf<NoCalls> = ({ guard, note, nowMs }) => {
  const lines: string[] = [];
  const startedMs = new Map<string, number>();
  const level =
    (name: string) =>
    (...parts: unknown[]) =>
      note(`[${name}] ${formatted(parts)}`);
  const Logger: GoogleAppsScript.Base.Logger = guard('Logger', {
    log: (...parts: unknown[]) => {
      lines.push(formatted(parts));
      note(`[log] ${formatted(parts)}`);
      return Logger;
    },
    clear: () => {
      lines.length = 0;
    },
    getLog: () => lines.join('\n'),
  });
  return {
    Logger,
    console: guard('console', {
      log: level('log'),
      info: level('info'),
      warn: level('warn'),
      error: level('error'),
      time: (label: string) => {
        startedMs.set(label, nowMs());
      },
      timeEnd: (label: string) =>
        note(`[log] ${label}: ${nowMs() - (startedMs.get(label) ?? 0)}ms`),
    } satisfies ConsoleObject),
  };
};

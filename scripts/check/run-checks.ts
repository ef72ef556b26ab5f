// Runs checks side by side and tells how each ended, the closing line last.
import type { Check } from './checks';

/** Resolves to how many failed. `say` gets a line as soon as a check ends. */
export async function runChecks(
  checks: readonly Check[],
  say: (line: string) => void,
): Promise<number> {
  const outcomes = await Promise.all(
    checks.map(async ({ name, run }) => {
      const { ok, said } = await run().catch((error: unknown) => ({
        ok: false,
        said: String(error),
      }));
      say(ok ? `ok      ${name}` : `FAILED  ${name}\n${said}\n`);
      return ok;
    }),
  );
  const failed = outcomes.filter((ok) => !ok).length;
  say(`Checks: ${outcomes.length - failed} passed, ${failed} failed`);
  return failed;
}

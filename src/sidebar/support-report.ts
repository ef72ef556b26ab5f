// The support report as text: what was tested and what was found, to be copied into a message.

export interface Finding {
  /** `note`: neither good nor bad, only good to know. */
  readonly verdict: 'ok' | 'problem' | 'note';
  readonly about: string;
  readonly text: string;
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok       ',
  problem: 'PROBLEM  ',
  note: '         ',
};

/** "2026-01-05 09:00:12 UTC": the same for whoever reads it, wherever they are. */
export function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

export function reportText(findings: readonly Finding[], version: string, nowMs: number): string {
  const problems = findings.filter(({ verdict }) => verdict === 'problem').length;
  const found =
    ['No problem found.', 'One problem found.'][problems] ?? `${problems} problems found.`;
  return [
    `Product Analysis ${version}, tested ${utc(nowMs)}`,
    `${found} The key is not in this report.`,
    '',
    ...findings.map(({ verdict, about, text }) => `${MARKS[verdict]}${about}: ${text}`),
  ].join('\n');
}

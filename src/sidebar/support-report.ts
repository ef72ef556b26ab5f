// The diagnostics report as text and in the page that shows it.
import { ADD_ON_NAME } from '../failures/add-on-name';

export interface Finding {
  /** `note`: neutral information. `no-key`: nothing is wrong, but nothing works yet. */
  readonly verdict: 'ok' | 'problem' | 'note' | 'no-key';
  readonly about: string;
  readonly text: string;
}

const MARKS: Readonly<Record<Finding['verdict'], string>> = {
  ok: 'ok       ',
  problem: 'PROBLEM  ',
  note: '         ',
  'no-key': 'TO DO    ',
};

/** "2026-01-05 09:00:12 UTC", the same for every reader. */
export function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/**
 * Removes addresses and products. Messages of services and Google, and the sheet's own titles, may
 * name them, and support must not see them.
 */
const anonymous = (text: string): string =>
  text
    .replace(/[^\s"<>()]+@[^\s"<>()]+/g, '(an address)')
    .replace(/\b(B0[\dA-Z]{8}|\d{9}[\dX])\b/gi, '(a product)');

export function reportText(findings: readonly Finding[], version: string, nowMs: number): string {
  const count = (wanted: string) => findings.filter(({ verdict }) => verdict === wanted).length;
  const problems = count('problem');
  const hasKey = count('no-key') === 0;
  const none = hasKey ? 'No problem found.' : 'Permissions OK.';
  const found = [none, 'One problem found.'][problems] ?? `${problems} problems found.`;
  const todo = hasKey ? '' : ' No key connected: open the sidebar and connect one.';
  return [
    `${ADD_ON_NAME} ${version}, diagnostics of ${utc(nowMs)}`,
    `${found}${todo} The key is not in this report.`,
    '',
    ...findings.map(({ verdict, about, text }) => lineOf(verdict, `${about}: ${anonymous(text)}`)),
  ].join('\n');
}

/** What a fact has to say in more lines stands below it, in its column. */
const lineOf = (verdict: Finding['verdict'], text: string): string =>
  MARKS[verdict] + text.replaceAll('\n', `\n${' '.repeat(MARKS.note.length + 2)}`);

/**
 * The page with the texts filled in as plain text. Filled-in texts are not searched for
 * placeholders again.
 *
 * @param page diagnostics.html, as built.
 * @param grantUrl Google's page where missing permissions can be granted, if any are missing.
 */
export function reportPage(page: string, report: string, grantUrl: string | null): string {
  return page.replace(/\{(report|grant)\}/g, (_, name) =>
    (name === 'grant' ? (grantUrl ?? '') : report).replace(
      /[&<>"']/g,
      (sign) => `&#${sign.charCodeAt(0)};`,
    ),
  );
}

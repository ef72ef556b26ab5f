// Reads answers that are stored anew, once more is known about the service: nobody pays twice for them. Pure.

import {
  type Connection,
  type ConnectionSettings,
  readingFrom,
  readingOf,
  readingText,
} from '../connection/connection';
import type { Analysis } from './analysis';
import { type Answer, answered } from './answer';
import { changedBy, type Field, type Figures, fieldKind, meaningOf, nameForm } from './fields';
import { NAME_SETTINGS, RESTRICTION_NAMES, readFigure } from './schema';

/** How this execution reads, and how what others read comes to the same. */
export interface Reading {
  /** Stored beside an answer; '' where nothing is settled. */
  readonly text: string;
  /** The answer as it would be read today; undefined: that cannot be told from what is stored. */
  anew(answer: Answer, key: string, was?: string): Answer | undefined;
}

/** Of a service about which nothing is settled. */
export const AS_SENT: Reading = { text: '', anew: (answer) => answer };

export function readingFor(connection: Connection): Reading {
  const now = readingOf(connection);
  const text = readingText(now);
  return {
    text,
    anew: (answer, key, was = '') =>
      was === text ? answer : readAnew(answer, key.endsWith('|UK'), readingFrom(was), now),
  };
}

function readAnew(
  answer: Answer,
  isUk: boolean,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Answer | undefined {
  // Under another name the service may know another market.
  if (isUk && (was.ukMarket ?? 'UK') !== (now.ukMarket ?? 'UK')) return undefined;
  if (!answer.ok) return answer.failure.kind === 'not-understood' ? undefined : answer;
  const analysis = renamed(answer.analysis, was, now);
  const inUnits = analysis && inUnitsOf(analysis, was, now);
  return inUnits && answered(inUnits);
}

/** Fields under the names that are settled now; what a name stood for before has to be plain. */
function renamed(
  analysis: Analysis,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Analysis | undefined {
  let { figures, extras } = analysis;
  for (const [setting, field] of NAME_SETTINGS) {
    const [before, name] = [was[setting], now[setting]];
    if (nameForm(before ?? '') === nameForm(name ?? '')) continue;
    const isNamed = ([extra]: (typeof extras)[number]) => nameForm(extra) === nameForm(name ?? '');
    const sent = extras.find(isNamed);
    if (sent === undefined) {
      // As long as nobody named it, it came under the name that is settled now, or under one like it.
      const one = name ?? before ?? '';
      const isUsual = meaningOf(one)?.field === field || RESTRICTION_NAMES.includes(nameForm(one));
      if (!isUsual || (name !== undefined && before !== undefined)) return undefined;
      continue;
    }
    const value = readFigure(field, sent[1]);
    if (value === undefined) return undefined;
    figures = {
      ...figures,
      [field]: fieldKind(field) === 'money' ? part(value, moneyOf(was)) : value,
    };
    extras = extras.filter((extra) => extra !== sent);
  }
  return { ...analysis, figures, extras };
}

const moneyOf = ({ moneyUnit }: ConnectionSettings) => (moneyUnit === 'hundredths' ? 100 : 1);

const part = (value: Figures[Field], of: number) =>
  typeof value === 'number' ? value / of : value;

/**
 * A unit that was settled otherwise may have been right when the answer came, so only what was read
 * as it was sent is read anew.
 */
function inUnitsOf(
  analysis: Analysis,
  was: ConnectionSettings,
  now: ConnectionSettings,
): Analysis | undefined {
  const { figures } = analysis;
  const money = moneyOf(now) / moneyOf(was);
  if (money !== 1 && was.moneyUnit !== undefined) return undefined;
  const isSettled = was.roiUnit !== undefined && was.roiUnit !== now.roiUnit;
  if (isSettled && figures.roi !== null) return undefined;
  const roiUnit = now.roiUnit === undefined ? analysis.roiUnit : ('fraction' as const);
  const isPercent = now.roiUnit === 'percent' && analysis.roiUnit === undefined;
  const inMoney = changedBy(figures, 'money', (one) => one / money);
  return {
    ...analysis,
    figures: isPercent ? changedBy(inMoney, 'ratio', (one) => one / 100) : inMoney,
    ...(roiUnit === undefined ? {} : { roiUnit }),
  };
}

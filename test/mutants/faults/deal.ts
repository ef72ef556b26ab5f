// Faults of decisions over a list.
import type { Fault } from '../fault';

export const DEAL_FAULTS: readonly Fault[] = [
  {
    file: 'decision-plan.ts',
    words: "Figures of a run are taken for the buyer's own costs.",
    from: 'return columns.filter((one) => !isRuns(one) && !isDecision(one.title));',
    to: 'return columns.filter((one) => !isDecision(one.title));',
    tests: ['deal/desk.test.ts'],
    named: 'are never those that a run filled',
  },
  {
    file: 'decision-plan.ts',
    words: "A unit's price is divided by the pack once more.",
    from: 'if (OF_A_UNIT.test(formOf(title))) return false;',
    to: 'if (OF_A_UNIT.test(formOf(title))) return true;',
    tests: ['deal/desk.test.ts'],
    named: 'of a unit know no pack',
  },
  {
    file: 'decision-plan.ts',
    words: 'A price that may be that of a unit or of a pack is divided without asking.',
    from: 'return OF_A_PACK.test(formOf(title)) ? true : undefined;',
    to: 'return true;',
    tests: ['deal/desk.test.ts'],
    named: 'are asked for where',
  },
  {
    file: 'rules-in-use.ts',
    words: 'Each of hundreds of formulas reads the rules cell by cell.',
    from: 'if (kept !== null) return rulesOf(kept);',
    to: '',
    tests: ['functions/verdict-field.test.ts'],
    named: 'once a minute',
  },
];

// Keeps every open page in step with the sheet by sending changes as Univer's own mutations.
import type { ICommandInfo, IExecutionOptions } from '@univerjs/core';
import type { Mutation, MutationOptions } from './protocol';
import type { UniverWorkbook } from './univer-workbook';

export interface SheetSharing {
  /** Called when a page opens. The page gets every later change except its own. */
  readonly join: (send: (mutation: Mutation) => void) => Member;
  /** The cells into which formulas have spilled, which are not part of a saved workbook. */
  readonly spills: () => Mutation;
}

export interface Member {
  readonly change: (mutation: Mutation) => void;
  readonly leave: () => void;
}

/** Univer's options, with the page that made the change. */
type RemoteOptions = IExecutionOptions & { readonly origin?: string };

/** Formula results are calculated only on the server, so the pages must be told about them. */
const TOLD = ['formula.mutation.set-formula-data', 'formula.mutation.set-array-formula-data'];

export function shareSheet({ univer, injector, commands }: UniverWorkbook): SheetSharing {
  const members = new Map<string, (mutation: Mutation) => void>();
  let joined = 0;
  commands.onCommandExecuted((command, options: RemoteOptions = {}) => {
    if (members.size === 0 || !isShared(command, univer.CommandType.MUTATION)) return;
    const { origin, onlyLocal, fromFormula, applyFormulaCalculationResult } = options;
    const mutation = {
      id: command.id,
      params: command.params ?? {},
      options: defined({ onlyLocal, fromFormula, applyFormulaCalculationResult }),
    };
    for (const [member, send] of members) {
      if (member !== origin) send(mutation);
    }
  });
  return {
    join: (send) => {
      joined += 1;
      const origin = `page ${joined}`;
      members.set(origin, send);
      return {
        change: ({ id, params, options }) => {
          if (!id.startsWith('sheet.mutation.')) return;
          commands.syncExecuteCommand(id, params, { ...options, origin });
        },
        leave: () => members.delete(origin),
      };
    },
    spills: () => {
      const formulas = injector.get(univer.FormulaDataModel);
      return {
        id: univer.SetArrayFormulaDataMutation.id,
        params: {
          arrayFormulaRange: formulas.getArrayFormulaRange(),
          arrayFormulaCellData: formulas.getArrayFormulaCellData(),
        },
        options: { onlyLocal: true },
      };
    },
  };
}

function isShared({ id, type }: Readonly<ICommandInfo>, mutation: number): boolean {
  return type === mutation && (id.startsWith('sheet.mutation.') || TOLD.includes(id));
}

/** JSON has no undefined, but Univer distinguishes a missing option from a false one. */
function defined(options: Readonly<Record<string, unknown>>): MutationOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

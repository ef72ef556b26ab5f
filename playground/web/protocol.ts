// The messages between the playground's page and its server over their WebSocket.
import type { IWorkbookData } from '@univerjs/core';
import type { ScreenMenu } from 'apps-script-host/service';
import type { FormatRule } from 'apps-script-host/sheet/book-features';
import { TROUBLES, type Trouble } from '../api/faults';

/** A change of the sheet as Univer makes it. Its options decide how formulas are affected. */
export interface Mutation {
  readonly id: string;
  readonly params: object;
  readonly options: MutationOptions;
}

export interface MutationOptions {
  readonly onlyLocal?: boolean;
  readonly fromFormula?: boolean;
  readonly applyFormulaCalculationResult?: boolean;
}

/** A custom function's help, from the comment above its declaration. */
export interface FunctionHelp {
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly description: string;
    readonly example: string;
  }[];
}

/** The explanation of a cell's error. */
export interface CellMessage {
  readonly sheetId: string;
  readonly row: number;
  readonly column: number;
  readonly message: string;
}

export interface Welcome {
  readonly kind: 'welcome';
  readonly workbook: IWorkbookData;
  /** The cells into which formulas have spilled, which are not part of the workbook's data. */
  readonly spills: Mutation;
  readonly functions: readonly FunctionHelp[];
  /** Global functions of the script, which google.script.run offers to the sidebar. */
  readonly callable: readonly string[];
  readonly addOnName: string;
  /** The sandbox service's address, and the key with which the playground started. */
  readonly sandbox: { readonly baseUrl: string; readonly keyName: string };
  readonly circumstances: Circumstances;
}

/** What a user may change about the world around the sheet. */
export interface Circumstances {
  /** How many days the playground's clocks are ahead of the machine's. */
  readonly daysAhead: number;
  /** What is wrong with the service. */
  readonly trouble: Trouble;
  /** Who is at the keyboard: the spreadsheet's owner, or somebody who may edit it. */
  readonly isSecondPerson: boolean;
  /** The sheet that only its owner may change, by name. */
  readonly protectedSheet: string | null;
}

export type FromServer =
  | Welcome
  | { readonly kind: 'circumstances'; readonly circumstances: Circumstances }
  | { readonly kind: 'mutation'; readonly mutation: Mutation }
  | { readonly kind: 'messages'; readonly messages: readonly CellMessage[] }
  /** A script has selected cells. */
  | { readonly kind: 'select'; readonly selection: Selection }
  | { readonly kind: 'looks'; readonly looks: readonly SheetLook[] }
  | { readonly kind: 'menu'; readonly menu: ScreenMenu }
  | { readonly kind: 'sidebar'; readonly title: string; readonly html: string }
  | { readonly kind: 'dialog'; readonly title: string; readonly html: string }
  | { readonly kind: 'toast'; readonly title: string; readonly message: string }
  | { readonly kind: 'returned'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'threw'; readonly call: number; readonly message: string };

/** How a sheet is displayed, as far as its cells do not define it. */
export interface SheetLook {
  readonly sheetId: string;
  readonly rules: readonly FormatRule[];
  readonly rowsBehindFilter: readonly number[];
  readonly dropdowns: readonly { readonly area: Area; readonly options: readonly string[] }[];
  readonly charts: readonly ShownChart[];
}

/** A chart of columns, with a value of each series over each label. */
export interface ShownChart {
  readonly title: string;
  readonly series: readonly string[];
  readonly points: readonly (readonly [label: string, values: readonly number[]])[];
}

export interface Selection {
  readonly sheetId: string;
  /** At least one area. Keys act on the last. */
  readonly areas: readonly Area[];
}

/** Rows and columns count from 0, and the ends are included. */
export interface Area {
  readonly startRow: number;
  readonly endRow: number;
  readonly startColumn: number;
  readonly endColumn: number;
}

export type FromPage =
  | { readonly kind: 'mutation'; readonly mutation: Mutation }
  | { readonly kind: 'selection'; readonly selection: Selection }
  | { readonly kind: 'choose'; readonly functionName: string }
  | { readonly kind: 'skip-day' }
  | { readonly kind: 'trouble'; readonly trouble: Trouble }
  | { readonly kind: 'second-person'; readonly isWanted: boolean }
  /** Protects the sheet in view, or ends it. */
  | { readonly kind: 'protect'; readonly isWanted: boolean }
  | {
      readonly kind: 'run';
      readonly call: number;
      readonly functionName: string;
      readonly args: readonly unknown[];
    };

/** The parts that each kind of message must have. The receiver checks their contents. */
const PARTS: Readonly<Record<FromPage['kind'], (sent: Sent) => boolean>> = {
  mutation: ({ mutation }) => isObject(mutation) && typeof mutation.id === 'string',
  selection: ({ selection }) => isObject(selection) && Array.isArray(selection.areas),
  choose: ({ functionName }) => typeof functionName === 'string',
  'skip-day': () => true,
  trouble: ({ trouble }) => Object.hasOwn(TROUBLES, String(trouble)),
  'second-person': ({ isWanted }) => typeof isWanted === 'boolean',
  protect: ({ isWanted }) => typeof isWanted === 'boolean',
  run: ({ functionName, args }) => typeof functionName === 'string' && Array.isArray(args),
};

type Sent = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Sent => typeof value === 'object' && value !== null;

/** The message. null: the text is not a valid message. */
export function readFromPage(text: string): FromPage | null {
  try {
    const sent: unknown = JSON.parse(text);
    if (!isObject(sent) || !Object.hasOwn(PARTS, String(sent.kind))) return null;
    return PARTS[sent.kind as FromPage['kind']](sent) ? (sent as unknown as FromPage) : null;
  } catch {
    return null;
  }
}

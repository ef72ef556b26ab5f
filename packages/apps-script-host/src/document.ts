// Defines a spreadsheet as the host knows it: its owner, its editors and the sheet model inside.

import type { SheetModel } from './sheet/model';

export interface HostDocument {
  readonly id: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly editors: readonly string[];
  readonly model: SheetModel;
}

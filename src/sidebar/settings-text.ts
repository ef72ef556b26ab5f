// Settings as text to keep or pass on, and back: everything of a connection but its key.

import * as z from 'zod/mini';
import { type Failure, fail } from '../analysis/failure';
import {
  CONNECTION_VERSION,
  type Connection,
  type ConnectionDraft,
  exportedSchema,
  migrated,
  versionOf,
} from '../connection/connection';
import type { Findings, Sharing } from '../connection/connection-store';

/** What the text holds of a record; members that name a person or a key stay behind. */
export function exportedText({
  version,
  baseUrl,
  quota,
  settings,
  found,
  reasons,
  cellsPerDay,
}: Connection): string {
  const exported = { version, baseUrl, quota, settings, found, reasons, cellsPerDay };
  return JSON.stringify(exported, null, 2);
}

interface Imported {
  readonly draft: ConnectionDraft;
  readonly findings: Findings;
}

/** An exported text of this version or an older one as a draft without a key. */
export function importedFrom(text: string, sharing: Sharing): Imported | Failure {
  const record = migrated(parsed(text));
  if (versionOf(record) > CONNECTION_VERSION) return fail({ kind: 'settings-unreadable' });
  const read = z.safeParse(exportedSchema(), record);
  if (!read.success) {
    const what = 'this text holds no settings. Paste the whole text that was exported';
    return fail({ kind: 'bad-argument', what });
  }
  const { baseUrl, quota, settings, found, reasons, cellsPerDay = null } = read.data;
  return {
    draft: { baseUrl, apiKey: '', quota, settings, sharing, cellsPerDay },
    findings: { found, reasons },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

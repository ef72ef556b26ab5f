// Which rooms Code.js is made of: how many of its bytes come from each.

import type { Metafile } from 'esbuild';

export interface RoomBytes {
  readonly room: string;
  readonly bytes: number;
}

const SERVICES = 'src/platform/apps-script';
const API = 'src/sidebar/api';

function roomOf(file: string): string {
  if (!file.startsWith('src/')) return 'zod';
  const [room = file] = /^src\/[^/]+/.exec(file) ?? [];
  return [SERVICES, API].find((inner) => file.startsWith(`${inner}/`)) ?? room;
}

/**
 * The largest first. Approximate: the second minifier tells nothing of files, so its savings are spread
 * over all of them by what each had before.
 */
export function roomBytes({ outputs }: Metafile, total: number): readonly RoomBytes[] {
  const before = new Map<string, number>();
  for (const { inputs } of Object.values(outputs))
    for (const [file, { bytesInOutput }] of Object.entries(inputs))
      before.set(roomOf(file), (before.get(roomOf(file)) ?? 0) + bytesInOutput);
  const all = [...before.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...before]
    .map(([room, bytes]) => ({ room, bytes: Math.round((bytes / all) * total) }))
    .sort((one, other) => other.bytes - one.bytes);
}

// Builds the add-on once before any test: the doors are tested on the very files that would be pushed.

import { join } from 'node:path';
import { buildAddOn } from '../scripts/build/add-on';

export const BUILT = join(__dirname, '../.cache/test-dist');

export default async function buildOnce(): Promise<void> {
  await buildAddOn({ outDir: BUILT, loopback: false });
}

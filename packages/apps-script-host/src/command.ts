#!/usr/bin/env node
// Entry point of the executable that npx starts.

import { watch } from 'node:fs';
import { commandLine, repeating, watchedFolder } from './command-line';

const words = process.argv.slice(2);

async function show(): Promise<void> {
  const { exitCode, out, aside } = await commandLine(words);
  if (aside !== '') console.error(aside);
  if (out !== '') console.log(out);
  process.exitCode = exitCode;
}

const again = repeating(show);
again();
const folder = watchedFolder(words);
if (folder !== null) watch(folder, { recursive: true }, again);

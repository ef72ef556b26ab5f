#!/usr/bin/env node
// Entry point of the executable that npx starts.

import { commandLine } from './command-line';

void commandLine(process.argv.slice(2)).then(({ exitCode, out, aside }) => {
  if (aside !== '') console.error(aside);
  if (out !== '') console.log(out);
  process.exitCode = exitCode;
});

// The real clasp, started anew for each message: what it takes to load, it takes once for this process.
import { pathToFileURL } from 'node:url';

/** Keeps what is written meanwhile. */
function recorded(stream, ...keepers) {
  const write = stream.write;
  stream.write = (bytes) => {
    for (const keeper of keepers) keeper.push(String(bytes));
    return true;
  };
  return () => {
    stream.write = write;
  };
}

let runs = 0;

async function run({ entry, folder, args, env }) {
  const out = [];
  const said = [];
  const ends = [recorded(process.stdout, said, out), recorded(process.stderr, said)];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  process.argv = [process.execPath, entry, ...args];
  process.exitCode = 0;
  runs += 1;
  try {
    // Its first file runs the command; under another address it runs again, and what it imports stays.
    await import(`${pathToFileURL(entry)}?${runs}`);
  } finally {
    for (const end of ends) end();
  }
  const { exitCode } = process;
  process.exitCode = 0;
  return { exitCode, said: said.join('').trim(), out: out.join('') };
}

process.on('message', async (message) => process.send(await run(message)));

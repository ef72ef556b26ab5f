// Entry point of `npm start`: runs the playground until it is stopped or, with --headless, until
// one sheet is answered.
import { join } from 'node:path';
import { createOpenPages } from './open-pages';
import { HELP, type Options, readOptions } from './options';
import { bundlePage } from './page-bundle';
import { type PageServer, startPageServer } from './page-server';
import { type Playground, SLOW, startPlayground } from './playground';
import { type Contents, FAILS_ON_PURPOSE } from './sample-sheet';
import { cellsWithoutAnswer, sheetTable } from './sheet-text';

const DIST = join(__dirname, '../../.cache/playground-dist');
/**
 * The sample sheet needs about 3 s, with --slow 10 s. Beyond this limit the service counts as out
 * of order.
 */
const HEADLESS_LIMIT_MS = 120_000;

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if ('problem' in options) {
    console.error(options.problem);
    process.exitCode = 1;
    return;
  }
  if (options.help) console.log(HELP);
  else if (options.headless) await answerOnce(options);
  else await serve(options);
}

/** The list is filled in before the page is served. The table in the terminal does not need it. */
function contentsFor({ firstRun, headless }: Options): Contents {
  if (headless) return 'formulas';
  return firstRun ? 'samples' : 'list';
}

function begin(options: Options, pages = createOpenPages()): Promise<Playground> {
  const { keyName, slow, firstRun } = options;
  const latency = slow ? { latency: SLOW } : {};
  const contents = contentsFor(options);
  const { screen } = pages;
  return startPlayground({ distFolder: DIST, keyName, firstRun, contents, screen, ...latency });
}

async function serve(options: Options): Promise<void> {
  const pages = createOpenPages();
  const [playground, folder] = await Promise.all([begin(options, pages), bundlePage()]);
  let server: PageServer;
  try {
    const { port } = options;
    server = await startPageServer({ folder, port, onPage: pages.serve(playground) });
  } catch (error) {
    await playground.stop();
    console.error(portProblem(options.port, error));
    process.exitCode = 1;
    return;
  }
  const stop = async (): Promise<void> => {
    await server.stop();
    await playground.stop();
    console.log('Stopped.');
  };
  // The handlers are in place before the output says how to stop.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
  console.log(`Playground  ${server.address}`);
  console.log(`Sandbox     ${playground.sandbox.baseUrl}  (invented products)`);
  console.log(`Key         ${playground.key.name}  (${playground.key.what})`);
  console.log('Stop with Ctrl+C.');
}

async function answerOnce(options: Options): Promise<void> {
  const playground = await begin(options);
  playground.open();
  const deadline = new Promise((resolve) => setTimeout(resolve, HEADLESS_LIMIT_MS).unref());
  await Promise.race([playground.sheet.settled(), deadline]);
  const open = cellsWithoutAnswer(playground.sheet);
  const unexpected = open.filter(({ name }) => name !== FAILS_ON_PURPOSE);
  console.log(`${sheetTable(playground.sheet)}\n`);
  for (const { name, reason } of open) console.log(`${name}: ${reason}`);
  await playground.stop();
  if (unexpected.length === 0) {
    console.log(`The sample sheet is answered; ${FAILS_ON_PURPOSE} fails on purpose.`);
    return;
  }
  console.error(`Not answered: ${unexpected.map(({ name }) => name).join(', ')}.`);
  process.exitCode = 1;
}

function portProblem(port: number, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken; choose another with --port N, or 0 for any free one.`;
  }
  if (code === 'EACCES') return `Port ${port} may not be used by this user; choose another.`;
  return `The page cannot be served on port ${port}: ${String(error)}`;
}

void main();

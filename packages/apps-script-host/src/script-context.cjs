// One script in a fresh context of its own, run from its launch to its end on whoever's stack this is.

const vm = require('node:vm');

/** Compiled once for each file in each thread, evaluated anew in each context. */
const compiled = new Map();

function scriptOf(source, filename) {
  const known = compiled.get(source);
  if (known?.filename === filename) return known.script;
  const script = new vm.Script(source, { filename });
  compiled.set(source, { filename, script });
  return script;
}

/** Under this key what loads the project is handed in, and gone again before it runs. */
const LOAD = Symbol.for('emulated host: load');
/** One evaluation for all, since Node starts and ends a thread for each that has a time limit. */
const LOAD_AND_INVOKE = new vm.Script(
  `{ const key = Symbol.for('${LOAD.description}'), load = globalThis[key]; delete globalThis[key]; load()(); }`,
  { filename: 'platform.js' },
);

/**
 * Promises of the script have a queue of their own, emptied after each evaluation; so async
 * functions go on as far as they can before an execution ends, as in Apps Script.
 *
 * @param sources the platform's half, and the project's files in their order, each evaluated by itself:
 *   what one declares at its top level, the ones after it see.
 * @param side `launch` as text; `ask` a service and get its answer, as texts; `nowMs`.
 * @param timeoutMs so long it may take, ms of the machine's time; left out: any time.
 * @returns the ending as text, and the lines logged since the last call; null: it took longer.
 */
function runScript({ realmSource, files }, { launch, ask, nowMs }, timeoutMs) {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    microtaskMode: 'afterEvaluate',
  });
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const evaluate = (source) => vm.runInContext(source, context);
  context.platform = { ask, nowMs, launch, evaluate };
  scriptOf(realmSource, 'platform.js').runInContext(context);
  const { invoke, fail, outcome } = context.platform;
  evaluate('delete globalThis.platform');
  try {
    context[LOAD] = () => {
      for (const { name, text } of files) scriptOf(text, name).runInContext(context);
      return invoke;
    };
    LOAD_AND_INVOKE.runInContext(context, limit);
    evaluate('undefined');
  } catch (error) {
    if (error?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    fail(error);
  }
  return outcome();
}

module.exports = { runScript };

// Runs one script in a fresh context, from its launch to its end, on the caller's stack.

const { promiseHooks } = require('node:v8');
const vm = require('node:vm');

/** Each file is compiled once in each thread and evaluated in every context. */
const compiled = new Map();

/** The name that stacks show for the platform's half. */
const PLATFORM = 'platform.js';

function scriptOf(source, filename) {
  const known = compiled.get(source);
  if (known?.filename === filename) return known.script;
  const script = new vm.Script(source, { filename });
  compiled.set(source, { filename, script });
  return script;
}

/** For a thread that goes on with another project. */
function forgetScripts() {
  for (const [source, { filename }] of compiled) if (filename !== PLATFORM) compiled.delete(source);
}

/** Global name of the function that loads the project. It is deleted before the function runs. */
const LOAD = Symbol.for('emulated host: load');
/** Evaluates all files at once, because Node starts a thread for each evaluation with a limit. */
const LOAD_AND_INVOKE = new vm.Script(
  `{ const key = Symbol.for('${LOAD.description}'), load = globalThis[key]; delete globalThis[key]; load()(); }`,
  { filename: PLATFORM },
);

const knownFiles = new WeakMap();

/** Scripts without these words make no promises. */
function mayPromise(files) {
  if (!knownFiles.has(files))
    knownFiles.set(
      files,
      files.some(({ text }) => /\basync\b|\bPromise\b/.test(text)),
    );
  return knownFiles.get(files);
}

/**
 * Collects the script's promises whose outcome nobody waits for. Node would end the whole process for
 * one that fails.
 */
function promisesOf(ScriptPromise) {
  const alone = new Set();
  const stop = promiseHooks.onInit((promise, parent) => {
    alone.delete(parent);
    // While the script waits, the host makes promises of its own.
    if (promise instanceof ScriptPromise) alone.add(promise);
  });
  return {
    end: () => {
      stop();
      return [...alone];
    },
  };
}

/**
 * The script's promises have a queue of their own, which is emptied after each evaluation. Async
 * functions therefore run as far as they can before an execution ends, as in Apps Script.
 *
 * @param sources the platform's half, and the project's files in their order. Each file is evaluated
 *   by itself and sees the top-level declarations of those before it.
 * @param side `launch` as text, `ask` (calls a service with text and returns text), `nowMs` and
 *   `isVirtual`: whether time passes only as the host lets it
 * @param timeoutMs how long the script may take, in ms of the machine's time; no limit by default
 * @returns the ending as text and the lines logged since the last call. null: the script took longer.
 */
function runScript({ realmSource, files }, { launch, ask, nowMs, isVirtual }, timeoutMs) {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, {
    microtaskMode: 'afterEvaluate',
  });
  const limit = timeoutMs === undefined ? {} : { timeout: timeoutMs };
  const evaluate = (source) => vm.runInContext(source, context);
  context.platform = { ask, nowMs, isVirtual, launch, evaluate };
  scriptOf(realmSource, PLATFORM).runInContext(context);
  const { invoke, fail, unheard, outcome } = context.platform;
  evaluate('delete globalThis.platform');
  const promises = mayPromise(files) ? promisesOf(evaluate('Promise')) : null;
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
  } finally {
    const alone = promises?.end() ?? [];
    if (alone.length > 0) {
      unheard(alone);
      evaluate('undefined');
    }
  }
  return outcome();
}

module.exports = { forgetScripts, runScript };

// The thread that runs scripts: one fresh context per execution, every service call blocks it.

const { workerData, receiveMessageOnPort } = require('node:worker_threads');
const vm = require('node:vm');

const { port, signal, clock, realmSource, code } = workerData;

/** Places in `signal`: how many messages the host has sent, and how many this thread has. */
const FROM_HOST = 0;
const FROM_THREAD = 1;

let seen = 0;

function send(message) {
  port.postMessage(message);
  Atomics.add(signal, FROM_THREAD, 1);
  Atomics.notify(signal, FROM_THREAD);
}

/** Waits for the counter, not for the wake-up: a late notify of the message before may wake us. */
function receive() {
  while (Atomics.load(signal, FROM_HOST) === seen) Atomics.wait(signal, FROM_HOST, seen);
  seen += 1;
  return receiveMessageOnPort(port).message;
}

/** The host's clock while that is virtual; NaN stands for the machine's. */
function nowMs() {
  return Number.isNaN(clock[0]) ? Date.now() : clock[0];
}

function ask(text, notes) {
  send({ kind: 'call', text, notes });
  return receive().text;
}

/** Compiled once in each thread, evaluated anew in each context. */
let platformScript = null;
let codeScript = null;

/**
 * Promises of the script have a queue of their own, emptied after each evaluation; so async
 * functions go on as far as they can before an execution ends, as in Apps Script.
 */
function execute(launch) {
  const context = vm.createContext({}, { microtaskMode: 'afterEvaluate' });
  const evaluate = (source) => vm.runInContext(source, context);
  context.platform = { ask, nowMs, launch, evaluate };
  platformScript ??= new vm.Script(realmSource, { filename: 'platform.js' });
  platformScript.runInContext(context);
  const { invoke, fail, outcome } = context.platform;
  evaluate('delete globalThis.platform');
  try {
    codeScript ??= new vm.Script(code, { filename: 'Code.js' });
    codeScript.runInContext(context);
    invoke();
    evaluate('undefined');
  } catch (error) {
    fail(error);
  }
  return outcome();
}

try {
  for (;;) send({ kind: 'ended', ...execute(receive().text) });
} catch (error) {
  send({ kind: 'broken', text: String(error?.stack ?? error) });
}

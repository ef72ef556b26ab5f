// The thread that runs scripts, one after the other: every service call blocks it.

const { workerData, receiveMessageOnPort } = require('node:worker_threads');
const { runScript } = require('./script-context.cjs');

const { port, signal, clock, realmSource, files } = workerData;

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

/** The host's clock while that is virtual; NaN stands for the machine's, put forward by the second. */
function nowMs() {
  return Number.isNaN(clock[0]) ? Date.now() + clock[1] : clock[0];
}

function ask(text, notes) {
  send({ kind: 'call', text, notes });
  return receive().text;
}

try {
  for (;;)
    send({
      kind: 'ended',
      ...runScript({ realmSource, files }, { launch: receive().text, ask, nowMs }),
    });
} catch (error) {
  send({ kind: 'broken', text: String(error?.stack ?? error) });
}

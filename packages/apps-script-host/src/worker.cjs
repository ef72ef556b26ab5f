// The thread that runs scripts, one after the other. Every service call blocks it.

const { workerData, receiveMessageOnPort } = require('node:worker_threads');
const { runScript } = require('./script-context.cjs');

const { port, signal, clock, realmSource, files } = workerData;

/** Indexes into `signal`, which counts the messages that the host and this thread have sent. */
const FROM_HOST = 0;
const FROM_THREAD = 1;

let seen = 0;

function send(message) {
  port.postMessage(message);
  Atomics.add(signal, FROM_THREAD, 1);
  Atomics.notify(signal, FROM_THREAD);
}

/**
 * Waits for the counter instead of the wake-up, because a late notify of an earlier message may wake
 * this thread.
 */
function receive() {
  while (Atomics.load(signal, FROM_HOST) === seen) Atomics.wait(signal, FROM_HOST, seen);
  seen += 1;
  return receiveMessageOnPort(port).message;
}

/** The host's clock in virtual time. NaN: the machine's clock, moved forward by the second value. */
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

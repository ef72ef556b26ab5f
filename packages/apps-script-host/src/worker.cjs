// The thread that runs scripts, one after the other. Every service call blocks it.

const { workerData, receiveMessageOnPort } = require('node:worker_threads');
const { forgetScripts, runScript } = require('./script-context.cjs');

const { port, signal, clock, restMs } = workerData;

/** Indexes into `signal`, which counts the messages that the host and this thread have sent. */
const FROM_HOST = 0;
const FROM_THREAD = 1;
const REST = 3;

/** What the host and this thread agree upon: a thread that has left serves nobody. */
const AT_REST = 1;
const LEFT = 2;

let seen = 0;

function send(message) {
  port.postMessage(message);
  Atomics.add(signal, FROM_THREAD, 1);
  Atomics.notify(signal, FROM_THREAD);
}

/**
 * Waits for the counter instead of the wake-up, because a late notify of an earlier message may wake
 * this thread. Nobody ends a thread whose host was forgotten, so it leaves after a rest.
 */
function receive() {
  while (Atomics.load(signal, FROM_HOST) === seen) {
    const isLate = Atomics.wait(signal, FROM_HOST, seen, restMs) === 'timed-out';
    if (isLate && Atomics.compareExchange(signal, REST, AT_REST, LEFT) === AT_REST) process.exit();
  }
  seen += 1;
  return receiveMessageOnPort(port).message;
}

/** The host's clock in virtual time. NaN: the machine's clock, moved forward by the second value. */
const isVirtual = () => !Number.isNaN(clock[0]);
const nowMs = () => (isVirtual() ? clock[0] : Date.now() + clock[1]);

function ask(text, notes) {
  send({ kind: 'call', text, notes });
  return receive().text;
}

let sources = null;

try {
  for (;;) {
    const launch = receive();
    if (launch.sources) {
      sources = launch.sources;
      forgetScripts();
    }
    send({
      kind: 'ended',
      ...runScript(sources, { launch: launch.text, ask, nowMs, isVirtual: isVirtual() }),
    });
  }
} catch (error) {
  send({ kind: 'broken', text: String(error?.stack ?? error) });
}

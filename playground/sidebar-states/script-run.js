// Runs in the page before its own script: google.script.run, answered by whoever opened the page.
(() => {
  const runner = (onValue, onError) => ({
    withSuccessHandler: (handler) => runner(handler, onError),
    withFailureHandler: (handler) => runner(onValue, handler),
    rpc: (method, payload) => {
      globalThis
        .serverAnswers(method, payload)
        .then((given) => ('throws' in given ? onError(new Error(given.throws)) : onValue(given)));
    },
  });
  const ignore = () => undefined;
  globalThis.google = { script: { run: runner(ignore, ignore) } };
})();

// Provides google.script.run for the page and runs before its script. The test or tool that opened the page answers.
(() => {
  const runner = (onValue, onError) => ({
    withSuccessHandler: (handler) => runner(handler, onError),
    withFailureHandler: (handler) => runner(onValue, handler),
    rpc: (method, payload) => {
      globalThis
        .serverAnswers(method, payload, globalThis.shown)
        .then((given) => ('throws' in given ? onError(new Error(given.throws)) : onValue(given)));
    },
  });
  const ignore = () => undefined;
  globalThis.google = { script: { run: runner(ignore, ignore) } };
})();

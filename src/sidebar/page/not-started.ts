// Says in the page that it did not start. It is a script of its own, so that it runs where the page's
// script is damaged: the shell alone looks as if the page were still loading.
export {};

/** How long somebody may look at a page that has not begun, ms. */
const PATIENCE_MS = 5_000;

setTimeout(() => {
  // The page takes it away as soon as it has started, be it late.
  const notice = document.getElementById('not-started');
  if (notice === null) return;
  const say = (tag: string, text: string): void => {
    const line = document.createElement(tag);
    line.textContent = text;
    notice.appendChild(line);
  };
  say('h1', 'The sidebar did not start');
  say('p', 'Close it and open it again: Extensions, Product Analysis, Open sidebar.');
  say(
    'p',
    'If it still does not start, choose Run diagnostics there and send the report to support.',
  );
  say('p', `Version ${__VERSION__}`);
}, PATIENCE_MS);

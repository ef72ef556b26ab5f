// Tells the person if the page did not start. It is a separate script, so that it runs even if the
// page's own script is damaged; the bare HTML looks as if the page were still loading.
import { ADD_ON_NAME } from '../../failures/add-on-name';

/** How long a person may look at a page that has not started, ms. */
const PATIENCE_MS = 5_000;

setTimeout(() => {
  // The page removes this element as soon as it has started, even if late.
  const notice = document.getElementById('not-started');
  if (notice === null) return;
  const say = (tag: string, text: string): void => {
    const line = document.createElement(tag);
    line.textContent = text;
    notice.appendChild(line);
  };
  say('h1', 'The sidebar did not start');
  say('p', `Close it and open it again: Extensions, ${ADD_ON_NAME}, Open sidebar.`);
  say(
    'p',
    'If it still does not start, choose Run diagnostics there and send the report to support.',
  );
  say('p', `Version ${__VERSION__}`);
}, PATIENCE_MS);

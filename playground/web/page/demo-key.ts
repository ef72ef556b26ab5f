// Shows the sandbox's address and a key for it, for pasting into the sidebar.
import { element, make } from './elements';

const COPIED_MS = 2_000;

export function showDemoKey({ baseUrl, keyName }: { baseUrl: string; keyName: string }): void {
  const copy = make('button', { type: 'button', 'aria-label': 'Copy address and key' }, 'Copy');
  copy.addEventListener('click', () => {
    void navigator.clipboard.writeText(`Address: ${baseUrl}\nKey: ${keyName}`).then(() => {
      copy.textContent = 'Copied';
      setTimeout(() => {
        copy.textContent = 'Copy';
      }, COPIED_MS);
    });
  });
  const note = element('sandbox-note', HTMLElement);
  note.replaceChildren(
    'Invented products · Address ',
    make('code', {}, baseUrl),
    ' · Key ',
    make('code', {}, keyName),
    copy,
  );
  note.hidden = false;
}

// A dialog over the spreadsheet, in which a script shows its own page.
import { make } from './elements';
import { ALLOWED } from './sidebar';

export function showDialog(title: string, html: string): void {
  const close = make('button', { type: 'button', 'aria-label': 'Close dialog' }, '×');
  const dialog = make(
    'dialog',
    { class: 'dialog', 'aria-label': title },
    make('div', { class: 'bar' }, make('h2', {}, title), close),
    make('iframe', { title, sandbox: ALLOWED, srcdoc: html }),
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

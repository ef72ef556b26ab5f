// Shows a short message at the bottom of the page, like the spreadsheet's own toast.
import { element, make } from './elements';

const SHOWN_MS = 6000;

export function createToast(): (title: string, message: string) => void {
  const box = element('toast', HTMLElement);
  let timer = 0;
  return (title, message) => {
    box.replaceChildren(make('strong', {}, title), make('span', {}, message));
    box.hidden = false;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      box.hidden = true;
    }, SHOWN_MS);
  };
}

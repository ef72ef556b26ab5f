// The Extensions menu with the items that the add-on's onOpen added, usable by mouse and by
// keyboard.
import type { ScreenMenu, ScreenMenuItem } from 'apps-script-host/service';
import { element, make } from './elements';

export interface ExtensionsMenu {
  readonly show: (menu: ScreenMenu) => void;
}

export function createExtensionsMenu(
  addOnName: string,
  choose: (functionName: string) => void,
): ExtensionsMenu {
  const button = element('extensions', HTMLButtonElement);
  let popup: HTMLElement | null = null;
  let items: readonly ScreenMenuItem[] = [];
  const close = (): void => {
    popup?.remove();
    popup = null;
    button.setAttribute('aria-expanded', 'false');
  };
  const pick = (functionName: string): void => {
    close();
    button.focus();
    choose(functionName);
  };
  const open = (): void => {
    popup = make('div', { class: 'menu', role: 'menu' }, submenu(addOnName, items, pick));
    button.after(popup);
    button.setAttribute('aria-expanded', 'true');
    popup.querySelector('button')?.focus();
  };
  button.addEventListener('click', () => (popup ? close() : open()));
  document.addEventListener('pointerdown', ({ target }) => {
    if (popup && target instanceof Node && !popup.contains(target) && target !== button) close();
  });
  document.addEventListener('keydown', (event) => {
    if (!popup?.contains(document.activeElement)) return;
    if (event.key === 'Escape') {
      close();
      button.focus();
    } else if (moveFocus(popup, event.key)) event.preventDefault();
  });
  return {
    show: (menu) => {
      items = menu.items;
      if (popup === null) return;
      // The user opened the menu before the add-on had added its items.
      close();
      open();
    },
  };
}

/** Arrow keys move through everything that can be chosen, including submenus. */
function moveFocus(popup: HTMLElement, key: string): boolean {
  const step = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[key];
  if (step === undefined) return false;
  const buttons = [...popup.querySelectorAll('button')];
  const at = buttons.findIndex((button) => button.matches(':focus'));
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  return true;
}

function submenu(
  caption: string,
  items: readonly ScreenMenuItem[],
  pick: (functionName: string) => void,
): HTMLElement {
  const inner = items.map((item) => {
    if (item.kind === 'separator') return make('hr', {});
    if (item.kind === 'menu') return submenu(item.menu.caption, item.menu.items, pick);
    const button = make('button', { type: 'button', role: 'menuitem' }, item.caption);
    button.addEventListener('click', () => pick(item.functionName));
    return button;
  });
  return make(
    'div',
    { class: 'submenu' },
    make('button', { type: 'button', role: 'menuitem', 'aria-haspopup': 'menu' }, caption),
    make('div', { class: 'menu', role: 'menu' }, ...inner),
  );
}

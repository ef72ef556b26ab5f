// Ui and Menu: what a script shows, and what it adds to the spreadsheet's own interface.

import { BUTTON_SETS, type ButtonSet, type Dialog } from '../../dialogs';
import type { PartOf, ScreenMenu, ScreenMenuItem } from '../../service';
import type { Making } from './making';

interface MenuHandle {
  readonly addToUi: () => void;
}

/** The part of HtmlOutput that the sidebar uses. */
interface PageHandle {
  readonly getContent: () => string;
  readonly getTitle: () => string;
}

type Base = typeof GoogleAppsScript.Base;

export function uiOf({ call, guard, enumeration }: Making): object {
  const Button = enumeration<Base['Button']>('Button', ['CLOSE', 'OK', 'CANCEL', 'YES', 'NO']);
  const ButtonSet = enumeration<Base['ButtonSet']>('ButtonSet', BUTTON_SETS);
  const described = new WeakMap<MenuHandle, ScreenMenu>();
  const menu = (caption: string, addOn: boolean) => {
    const items: ScreenMenuItem[] = [];
    const add = (item: ScreenMenuItem) => {
      items.push(item);
      return self;
    };
    const description: ScreenMenu = { caption, addOn, items };
    const self: MenuHandle = guard('Menu', {
      addItem: (itemCaption: string, functionName: string) =>
        add({ kind: 'item', caption: String(itemCaption), functionName: String(functionName) }),
      addSeparator: () => add({ kind: 'separator' }),
      addSubMenu: (inner: MenuHandle) => {
        const innerMenu = described.get(inner);
        if (!innerMenu) throw new Error('Menu.addSubMenu takes a menu of the same Ui.');
        return add({ kind: 'menu', menu: innerMenu });
      },
      addToUi: () => call('spreadsheet.addMenu', description),
    } satisfies PartOf<GoogleAppsScript.Base.Menu>);
    described.set(self, description);
    return self;
  };
  return guard('Ui', {
    createMenu: (caption: string) => menu(String(caption), false),
    createAddonMenu: () => menu('', true),
    Button,
    ButtonSet,
    alert: (...args: readonly unknown[]) => Button[chosenOf(call, dialogOf('choice', args))],
    prompt: (...args: readonly unknown[]) => {
      const { button, text } = call('spreadsheet.prompt', dialogOf('prompt', args));
      return guard('PromptResponse', {
        getSelectedButton: () => Button[button],
        getResponseText: () => text,
      } satisfies PartOf<GoogleAppsScript.Base.PromptResponse>);
    },
    /**
     * The page sees no difference. Only the person at the screen sees it beside the sheet or over
     * it.
     */
    showModelessDialog: (page: PageHandle, title: string) =>
      call('spreadsheet.showModalDialog', page.getContent(), String(title)),
    showModalDialog: (page: PageHandle, title: string) =>
      call('spreadsheet.showModalDialog', page.getContent(), String(title)),
    showSidebar: (page: PageHandle) =>
      call('spreadsheet.showSidebar', page.getContent(), page.getTitle()),
  } satisfies PartOf<GoogleAppsScript.Base.Ui>);
}

/** Arguments: (message), (message, buttons), (title, message) or (title, message, buttons). */
function dialogOf(kind: Dialog['kind'], [first, second, third]: readonly unknown[]): Dialog {
  const set = [second, third].map(String).find((name) => BUTTON_SETS.includes(name as ButtonSet));
  const buttons = (set ?? 'OK') as ButtonSet;
  const isTitled = second !== undefined && String(second) !== set;
  const [message, title] = isTitled ? [String(second), String(first)] : [String(first), ''];
  return { kind, message, title, buttons };
}

/** Nobody can choose where OK is all there is. */
function chosenOf(call: Making['call'], dialog: Dialog) {
  if (dialog.buttons !== 'OK') return call('spreadsheet.choose', dialog).button;
  call('spreadsheet.alert', dialog.message, dialog.title);
  return 'OK';
}

/**
 * developers.google.com/apps-script/reference/base/browser: the older way to ask users. The answer is
 * the button's text in lower case, "or cancel if the dialog was dismissed without clicking a button".
 */
export function browserOf({ call, guard, enumeration }: Making): object {
  return guard('Browser', {
    Buttons: enumeration<Base['ButtonSet']>('ButtonSet', BUTTON_SETS),
    msgBox: (...args: readonly unknown[]) => {
      const button = chosenOf(call, dialogOf('choice', args));
      return button === 'CLOSE' ? 'cancel' : button.toLowerCase();
    },
    inputBox: (...args: readonly unknown[]) => {
      const { button, text } = call('spreadsheet.prompt', dialogOf('prompt', args));
      return button === 'OK' || button === 'YES' ? text : 'cancel';
    },
  } satisfies PartOf<GoogleAppsScript.Base.Browser>);
}

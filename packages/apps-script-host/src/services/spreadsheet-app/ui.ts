// Ui and Menu: what a script shows, and what it adds to the spreadsheet's own interface.

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
  const ButtonSet = enumeration<Base['ButtonSet']>('ButtonSet', [
    'OK',
    'OK_CANCEL',
    'YES_NO',
    'YES_NO_CANCEL',
  ]);
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
    /**
     * A single text is the message. With two texts the first is the title. The reader presses OK.
     */
    alert: (first: string, second?: unknown) => {
      const isTitled = typeof second === 'string';
      call('spreadsheet.alert', isTitled ? second : String(first), isTitled ? String(first) : '');
      return Button.OK;
    },
    /** A single text is the question. With two texts the first is the title. */
    prompt: (first: string, second?: unknown) => {
      const isTitled = typeof second === 'string';
      const [message, title] = isTitled ? [second, String(first)] : [String(first), ''];
      const { button, text } = call('spreadsheet.prompt', message, title);
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

/**
 * developers.google.com/apps-script/reference/base/browser: the older way to ask users, with texts
 * as answers.
 */
export function browserOf({ call, guard, enumeration }: Making): object {
  const shown = (args: readonly unknown[]): readonly [message: string, title: string] => {
    const [first, second] = args.filter((arg) => typeof arg === 'string');
    return second === undefined ? [first ?? '', ''] : [second, first ?? ''];
  };
  return guard('Browser', {
    Buttons: enumeration<Base['ButtonSet']>('ButtonSet', [
      'OK',
      'OK_CANCEL',
      'YES_NO',
      'YES_NO_CANCEL',
    ]),
    msgBox: (...args: readonly unknown[]) => {
      call('spreadsheet.alert', ...shown(args));
      return 'ok';
    },
    inputBox: (...args: readonly unknown[]) => {
      const { button, text } = call('spreadsheet.prompt', ...shown(args));
      return button === 'OK' || button === 'YES' ? text : 'cancel';
    },
  } satisfies PartOf<GoogleAppsScript.Base.Browser>);
}

// Ui and Menu: what a script adds to the spreadsheet's own interface.

import type { PartOf, ScreenMenu, ScreenMenuItem } from '../../service';
import type { Making } from './making';

interface MenuHandle {
  readonly addToUi: () => void;
}

/** As much of HtmlOutput as the sidebar takes. */
interface PageHandle {
  readonly getContent: () => string;
  readonly getTitle: () => string;
}

export function uiOf({ call, guard }: Making): object {
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
    showSidebar: (page: PageHandle) =>
      call('spreadsheet.showSidebar', page.getContent(), page.getTitle()),
  } satisfies PartOf<GoogleAppsScript.Base.Ui>);
}

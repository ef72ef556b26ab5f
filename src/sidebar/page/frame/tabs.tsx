// The row of tabs: one stop for the Tab key, arrow keys between them, as ARIA describes tabs.
import type { Page, PageId } from './page';
import { placeAfter } from './tab-keys';

export const tabId = (page: PageId): string => `tab-${page}`;
export const panelId = (page: PageId): string => `panel-${page}`;

interface TabsProps {
  readonly pages: readonly Page[];
  readonly shown: PageId;
  choose(page: PageId): void;
}

export function Tabs({ pages, shown, choose }: TabsProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    const from = pages.findIndex(({ id }) => id === shown);
    const to = pages[placeAfter(event.key, from, pages.length) ?? -1];
    if (to === undefined) return;
    event.preventDefault();
    choose(to.id);
    document.getElementById(tabId(to.id))?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="Pages" onKeyDown={onKeyDown}>
      {pages.map(({ id, name, news = '' }) => (
        <button
          key={id}
          class="tab"
          type="button"
          role="tab"
          id={tabId(id)}
          aria-selected={id === shown}
          aria-controls={panelId(id)}
          tabIndex={id === shown ? 0 : -1}
          onClick={() => choose(id)}
        >
          {name}
          {news !== '' && id !== shown && (
            <span class="news">
              <span class="heard">{news}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}

// What can be shown of a list: one row each, with its title, its line and its buttons, so that words and
// buttons cannot disagree. The first row that fits is shown.

import type { ComponentChildren } from 'preact';
import type { JobStatus } from '../../api/jobs';
import { goTo, isKeyMissing } from '../ui/app';
import { doing } from '../ui/doing';
import { Skeleton } from '../ui/heading';
import type { BarButton, Buttons } from '../ui/page';
import { countText, isOver, UI_TEXTS } from '../ui/texts';
import * as page from './analyze';
import { isOpen, leftText } from './asked-sum';
import { Choosing, chosenText, hasRows, nothingText, openFigures } from './choosing';
import { afterText, startButtons } from './counts';
import * as deals from './deals';
import {
  busyButton,
  changeButtons,
  changedText,
  Decided,
  NewSheet,
  nextButton,
  Outcome,
  Shopping,
  toBuyText,
  Undecided,
  undecidedText,
} from './decided';
import * as view from './list';
import {
  againText,
  goOnButton,
  Over,
  otherMarketButton,
  retryButton,
  stopButton,
  titleOf,
  UnderWay,
  whyOf,
} from './run';

interface Row<Of> {
  /** What it is about; null: it does not fit. */
  of(): Of | null;
  title(of: Of): string;
  /** Says more, below the title. */
  line?(of: Of): string;
  body?(of: Of): ComponentChildren;
  filled(of: Of): BarButton;
  quiet?(of: Of): BarButton | null;
  /** What pressing the filled button costs. */
  cost?(of: Of): string | undefined;
}

export interface Stage {
  readonly title: string;
  readonly line: string;
  readonly body: ComponentChildren;
  readonly buttons: Buttons;
}

/** null: it does not fit. */
type Shows = () => Stage | null;

const row =
  <Of,>({ of, title, line, body, filled, quiet, cost }: Row<Of>): Shows =>
  () => {
    const about = of();
    if (about === null) return null;
    const [primary, second, costs] = [filled(about), quiet?.(about) ?? null, cost?.(about)];
    return {
      title: title(about),
      line: line?.(about) ?? '',
      body: body?.(about) ?? null,
      buttons: {
        primary,
        // What is filled is not offered a second time.
        ...(second !== null && second.label !== primary.label && { second }),
        ...(costs !== undefined && { cost: costs }),
      },
    };
  };

// What a row is about

const jobUnderWay = (): JobStatus | null => {
  const status = view.job.status.value;
  return status === null || isOver(status) || !view.isInView(status) ? null : status;
};

const jobOver = (): JobStatus | null => {
  const status = view.job.status.value;
  return status !== null && isOver(status) && view.isInView(status) ? status : null;
};

/** The job that the list in view follows. */
const jobBefore = (): JobStatus | null => {
  const before = view.elsewhere.value;
  const inView = view.look.value?.sheet.id;
  return before?.next.some(({ sheetId, isMine }) => isMine && sheetId === inView) ? before : null;
};

const isUnreached = () => view.failure.value !== null && !view.load.isBusy;

const decided = () => {
  const seen = view.list.value;
  return seen === null || seen.summary === null ? null : { seen, summary: seen.summary };
};

interface Question extends Buttons {
  readonly line: string;
}

/** What has to be said before a decided list goes on; null: nothing. */
function askedFirst(): Question | null {
  if (deals.isRemoveAsked.value)
    return {
      line: '',
      primary: {
        label: 'Remove decisions',
        isDangerous: true,
        press: () => void deals.remove(),
      },
      second: { id: deals.KEEP, label: 'Keep them', press: deals.leave },
    };
  const changed = view.isChoosing.value || page.isAgain.value ? null : view.list.value?.changed;
  return changed ? { line: changedText(changed), ...changeButtons(changed) } : null;
}

/** What the list of a job that is over comes to; null: it is not known. */
const outcomeOf = ({ sheet }: JobStatus) =>
  !view.isOutcomeDue.value && view.list.value?.look.sheet.id === sheet.id ? view.list.value : null;

// Buttons of several rows

const again = (): BarButton => ({ id: 'analyze-new', label: 'Analyze again', press: page.again });
const connect = (): BarButton => ({
  label: UI_TEXTS.connectKey,
  press: () => goTo('connection'),
});
const lookAgain = (): BarButton => doing(view.load, UI_TEXTS.lookAgain, UI_TEXTS.loading);
const newSheet = (): BarButton => ({
  id: 'deals-new',
  label: 'New deal sheet',
  press: deals.askForNew,
});

/** The way to figures of a list that has some. */
const figures = (): BarButton => (isKeyMissing.value ? connect() : again());
/** Nothing else is offered while something is under way. */
const unlessBusy = (button: BarButton | null) => (busyButton() === null ? button : null);

const counting = (): BarButton => ({ label: 'Counting', isBusy: true });
const start = (): Buttons | null => page.plan.value && startButtons(page.plan.value);
const startOr = (other: () => BarButton): BarButton =>
  start()?.primary ?? (page.count.isBusy ? counting() : other());

const nextOf = (status: JobStatus): BarButton | null => {
  const seen = outcomeOf(status);
  if (seen === null || status.state !== 'done') return null;
  return busyButton() ?? nextButton(seen);
};

const STAGES = {
  underWay: row({
    of: jobUnderWay,
    title: titleOf,
    line: whyOf,
    body: (status) => <UnderWay status={status} />,
    filled: (status) => otherMarketButton() ?? goOnButton(status),
    quiet: (status) => (otherMarketButton() === null ? stopButton() : goOnButton(status)),
  }),

  queued: row({
    of: jobBefore,
    title: () => view.look.value?.sheet.name ?? '',
    line: (before) => `${afterText(before)}. You can close the sidebar meanwhile.`,
    filled: ({ sheet }) => doing(page.toRun, `Show “${sheet.name}”`, 'Opening'),
    quiet: () => doing(page.unqueue, 'Don’t start', 'Taking it back'),
  }),

  newSheet: row({
    of: () => view.isNewWished.value || deals.makeSheet.isBusy || null,
    title: () => 'New deal sheet',
    line: () => 'A tab for products, your costs, their figures and what to buy.',
    body: () => <NewSheet />,
    filled: () => doing(deals.makeSheet, 'Make deal sheet', 'Making the sheet'),
    quiet: () =>
      deals.makeSheet.isBusy
        ? null
        : { id: 'deals-back', label: UI_TEXTS.back, press: deals.leave },
  }),

  tabGone: row({
    of: () => (view.look.value?.isTabGone === true && !page.isAgain.value) || null,
    title: () => 'The tab “Analysis” was deleted',
    line: () =>
      'All figures here are looked up in it. What is stored can be brought back without a call.',
    filled: () => doing(deals.bringBackTab, 'Bring it back', 'Bringing it back'),
    quiet: () => (deals.bringBackTab.isBusy ? null : again()),
  }),

  shopping: row({
    of: () => {
      const { sheet, shoppedFrom } = view.look.value ?? {};
      if (!sheet || !shoppedFrom || page.isAgain.value) return null;
      return { name: sheet.name, from: shoppedFrom.name };
    },
    title: ({ name }) => name,
    line: ({ from }) => `What to buy from “${from}”. What you change in this tab stays.`,
    body: () => (
      <p class="links deal-verbs">
        <Shopping />
      </p>
    ),
    filled: ({ from }) =>
      busyButton() ?? doing(deals.backToList, `Back to “${from}”`, 'Opening', { id: 'deals-list' }),
    quiet: () => unlessBusy(deals.backToList.isBusy ? null : again()),
  }),

  decided: row({
    of: () => {
      const [of, asked] = [decided(), askedFirst()];
      const isNext = deals.need.value === 'nothing' && !page.isAgain.value && jobOver() === null;
      return of !== null && (asked !== null || isNext) ? { ...of, asked } : null;
    },
    title: ({ summary }) => toBuyText(summary),
    line: ({ seen: { look }, asked }) => {
      if (asked !== null) return asked.line;
      const added = page.isForNewRows.value ? (view.look.value?.newRows ?? 0) : 0;
      return `“${look.sheet.name}”${added === 0 ? '' : ` · ${countText(added, 'new row')}`}`;
    },
    body: (of) => <Decided {...of} />,
    filled: ({ seen, asked }) => {
      const other = () => nextButton(seen) ?? figures();
      const next = () => (page.isForNewRows.value ? startOr(other) : other());
      return busyButton() ?? asked?.primary ?? next();
    },
    quiet: ({ seen, asked }) => {
      const other = () => (page.isForNewRows.value ? nextButton(seen) : null) ?? figures();
      return unlessBusy(asked === null ? other() : (asked.second ?? null));
    },
    cost: ({ asked }) =>
      asked === null && page.isForNewRows.value && busyButton() === null
        ? start()?.cost
        : undefined,
  }),

  ended: row({
    of: jobOver,
    title: titleOf,
    line: againText,
    body: (status) => {
      const seen = outcomeOf(status);
      return (
        <Over status={status} offersRetry={nextOf(status) !== null}>
          {seen !== null && <Outcome seen={seen} />}
        </Over>
      );
    },
    filled: (status) =>
      view.isOutcomeDue.value ? counting() : (nextOf(status) ?? retryButton(status) ?? again()),
    quiet: () => (view.isOutcomeDue.value ? null : unlessBusy(again())),
  }),

  noKey: row({
    of: () => (isKeyMissing.value && deals.need.value === 'figures') || null,
    title: () => 'Connect your key first',
    line: () => 'A run uses your own key. Enter it under Settings, then come back here.',
    filled: connect,
    quiet: newSheet,
  }),

  unread: row({
    of: () => (view.look.value === null && !isKeyMissing.value) || null,
    title: () => UI_TEXTS.list,
    line: () => (isUnreached() ? UI_TEXTS.sheetUnread : ''),
    body: () => !isUnreached() && <Skeleton rows={4} />,
    filled: () =>
      isUnreached()
        ? { label: UI_TEXTS.tryAgain, press: () => void view.load() }
        : { label: UI_TEXTS.loading, isBusy: true },
  }),

  undecided: row({
    of: () => (deals.need.value === 'decisions' && !page.isAgain.value ? view.list.value : null),
    title: (seen) => undecidedText(seen)[0],
    line: (seen) => undecidedText(seen)[1],
    body: (seen) => <Undecided seen={seen} />,
    filled: (seen) => busyButton() ?? nextButton(seen) ?? figures(),
    quiet: (seen) =>
      unlessBusy(seen.summary === null ? figures() : { label: UI_TEXTS.back, press: deals.leave }),
    cost: (seen) => (busyButton() === null && isOpen(seen) ? leftText(seen) : undefined),
  }),

  ready: row({
    of: () => (view.look.value !== null && hasRows(view.look.value) ? view.look.value : null),
    title: ({ sheet }) => sheet.name,
    line: chosenText,
    body: (seen) => <Choosing key={seen.sheet.id} seen={seen} />,
    filled: () =>
      page.choice.value?.fields.length === 0
        ? { label: 'Choose figures', press: openFigures }
        : startOr(lookAgain),
    quiet: () => {
      if (page.start.isBusy) return null;
      if (page.isAgain.value)
        return { id: 'analyze-back', label: UI_TEXTS.back, press: page.leave };
      const hasCards = view.list.value !== null && view.list.value.summary === null;
      return hasCards
        ? { id: 'deals-choose', label: 'Choose your cost', press: () => void deals.chooseAgain() }
        : null;
    },
    cost: () => start()?.cost,
  }),

  nothing: row({
    of: () => view.look.value,
    title: ({ sheet }) => sheet.name,
    line: nothingText,
    body: (seen) => <Choosing key={seen.sheet.id} seen={seen} />,
    filled: lookAgain,
    quiet: newSheet,
  }),
} as const satisfies Readonly<Record<string, Shows>>;

/** The job over another sheet than the one in view: "“Sheet1”: 187 of 277"; '' if there is none. */
export function elsewhereText(): string {
  const status = view.elsewhere.value;
  return status === null ? '' : `“${status.sheet.name}”: ${titleOf(status)}`;
}

/** The start of the list in view, for other pages; null: it cannot be started yet. */
export function startOffer(): Buttons | null {
  const begin = page.isAnalyzing.value ? start() : null;
  if (begin === null || view.look.value === null || view.job.status.value !== null) return null;
  const press = () => {
    goTo('list');
    void page.start();
  };
  const what = [`“${view.look.value.sheet.name}”`, chosenText(), begin.cost];
  return { primary: { ...begin.primary, press }, cost: what.join(' · ') };
}

/** What is shown now. */
export function stageNow(): Stage {
  for (const shows of Object.values(STAGES)) {
    const stage = shows();
    if (stage !== null) return stage;
  }
  throw new Error('No row fits.');
}

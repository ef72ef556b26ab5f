// The Settings page for the frame: the view that is shown, its buttons and messages, and the chip.

import type { ConnectionStatus } from '../../api/connection';
import { connection, goTo, sheetName } from '../ui/app';
import { Do, doing, removal, unreadView } from '../ui/doing';
import { Title } from '../ui/heading';
import { ANALYZE_SHEET, type BarButton, type Buttons, type Page, type View } from '../ui/page';
import { UI_TEXTS } from '../ui/texts';
import { answeredIn, readText } from './answer';
import { Connection } from './connected';
import * as page from './connection';
import { ConnectionFields } from './form';
import type { ConnectionForm } from './input';
import { type Connected, ownOf } from './status';

const samplesButton = (label: string): BarButton =>
  doing(page.openSamples, label, 'Making a sample list', { id: 'try-samples' });

function samplingView(): View {
  return {
    body: (
      <>
        <Title
          id={page.TITLE}
          text="Trying samples"
          lead="Formulas in this spreadsheet answer for a dozen invented products, marked as samples."
        />
        <ul class="facts">
          <li>No key needed, no calls made.</li>
          <li>Other products are not answered.</li>
          <li>Samples stop when you connect a key.</li>
        </ul>
        <p class="links">
          <Do task={page.stopSamples} args={[]}>
            Stop samples
          </Do>
        </p>
      </>
    ),
    buttons: {
      primary: samplesButton('Make a sample list'),
      second: {
        id: 'change-baseUrl',
        label: UI_TEXTS.connectKey,
        press: () => page.change('baseUrl'),
      },
    },
  };
}

function enteringButtons(was: ConnectionStatus): Buttons {
  const isNew = ownOf(was) === null;
  if (page.save.isBusy)
    return { primary: { label: isNew ? 'Connecting' : UI_TEXTS.saving, isBusy: true } };
  return {
    primary: { id: page.CONNECT, label: isNew ? 'Connect' : 'Save', form: page.form.id },
    second: page.canLeave.value
      ? { id: 'back', label: UI_TEXTS.back, press: page.leave }
      : samplesButton('Try samples'),
  };
}

/** Changes what the service has refused; null: checking again is all that helps. */
function mendButton(): BarButton | null {
  const what = page.trouble.value?.mend;
  if (what === undefined) return null;
  const label = what === 'apiKey' ? 'Replace the key' : 'Edit the address';
  return { label, press: () => page.change(what) };
}

/** After a successful check, the next step is a list. */
function connectedButtons(status: Connected, start: Buttons | null): Buttons {
  const isOwn = ownOf(status) !== null;
  const isNew = page.report.value === null && page.checkFailure.value === null;
  const check = {
    ...doing(page.check, isNew ? 'Check' : 'Check again', 'Checking'),
    press: page.checkProduct,
  };
  const mend = isOwn && !page.check.isBusy ? mendButton() : null;
  if (mend !== null) return { primary: mend, second: check };
  const ownKey = {
    id: 'change-apiKey',
    label: 'Use my own key',
    press: () => page.change('apiKey'),
  };
  // Formulas wait until somebody allows the key that came with the copy.
  if (status.payer.kind === 'copied') {
    const allow = doing(page.allowHere, 'Use the key here', 'Use the key here', { id: 'use-here' });
    return { primary: allow, second: isOwn ? check : ownKey };
  }
  if (page.report.value !== null) {
    const label =
      sheetName.value === null ? UI_TEXTS.openList : `${UI_TEXTS.analyze} ${sheetName.value}`;
    const analyze = { id: ANALYZE_SHEET, label, press: () => goTo('list') };
    const { primary = analyze, cost } = start ?? {};
    const named = { ...primary, id: ANALYZE_SHEET };
    return { primary: named, ...(cost !== undefined && { cost }) };
  }
  if (!isOwn) return { primary: check, second: ownKey };
  return { primary: check };
}

function viewNow(
  status: ConnectionStatus | null,
  values: ConnectionForm | null,
  start: Buttons | null,
): View {
  if (status !== null && values !== null)
    return {
      body: <ConnectionFields values={values} was={status} />,
      buttons: enteringButtons(status),
    };
  if (status?.connected)
    return {
      body: <Connection status={status} />,
      buttons: page.isRemoving.value
        ? removal(page.remove, 'Remove key', { id: page.KEEP, press: page.leave })
        : connectedButtons(status, start),
    };
  if (status !== null) return samplingView();
  return unreadView(
    page.load,
    { id: page.TITLE, text: UI_TEXTS.connection, isHeardOnly: true },
    'Your connection could not be read just now. Nothing was changed.',
  );
}

/** What removing the key would do, while the person has to confirm it. */
function question(status: ConnectionStatus | null): string | null {
  if (!page.isRemoving.value || page.remove.isBusy || !status?.connected) return null;
  return status.sharing === 'spreadsheet'
    ? 'Formulas in this spreadsheet stop answering until a key is connected again.'
    : 'Your formulas stop answering until you connect a key again.';
}

/** One sentence for people who hear the page and do not see the table appear. */
function spoken(status: ConnectionStatus | null): string {
  if (page.save.isBusy) return 'Saving the connection.';
  if (page.remove.isBusy) return 'Removing the key.';
  if (page.check.isBusy) return 'Checking: asking the service for one product.';
  if (page.report.value === null) return '';
  const answered = answeredIn(page.report.value);
  if (answered === null)
    return 'The key works, but the service does not know the product used for checking.';
  const { settings } = status?.connected ? status : page.report.value;
  return `Connected. ${readText(answered, settings)}`;
}

/** @param start starts the list in view, with what that costs; null: it cannot be started. */
export function connectionPage(start: Buttons | null): Page {
  const status = connection.value;
  return {
    id: 'connection',
    name: UI_TEXTS.connection,
    ...viewNow(status, page.form.values.value, start),
    messages: {
      failure: page.trouble.value,
      notice: page.notice.value || null,
      question: question(status),
      spoken: spoken(status),
    },
    isLoading: page.view.value === 'loading',
    leave: page.leave,
    again: () => void (status === null ? page.load() : page.refresh()),
  };
}

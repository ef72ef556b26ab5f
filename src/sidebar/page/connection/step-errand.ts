// What a short call beside the form changes: sharing, samples, the settings as text.
import { EMPTY_FORM, formOfDraft } from './form';
import type { ConnectionState, ErrandEvent, View } from './state';
import { entering, viewOf } from './views';

type OpenView = Extract<View, { at: 'entering' | 'sampling' | 'connected' }>;

/** In the others something bigger goes on, which an errand must not cut short. */
function isOpen(view: View): view is OpenView {
  return view.at === 'entering' || view.at === 'sampling' || view.at === 'connected';
}

export function stepErrand(state: ConnectionState, event: ErrandEvent): ConnectionState {
  const { view, beside } = state;
  if (event.type === 'errandBegun') {
    if (!isOpen(view)) return state;
    const untroubled = { ...view, failure: null };
    return { ...state, view: untroubled, errand: event.errand, notice: null, focus: null };
  }
  if (state.errand === null) return state;
  const done = { ...state, errand: null };
  if (!isOpen(view)) return done;
  switch (event.type) {
    case 'errandFailed':
      return { ...done, view: { ...view, failure: event.failure } };
    case 'errandDone':
      return { ...done, notice: event.notice };
    case 'errandExported':
      return { ...done, exported: event.text, focus: { to: 'settings-text' } };
    case 'errandChanged': {
      const next = viewOf(event.status);
      return {
        ...done,
        view: next,
        notice: event.notice === '' ? null : event.notice,
        beside: { ...beside, importText: '' },
        focus: view.at === next.at ? null : { to: 'connection-title' },
      };
    }
    case 'errandNeedsKey':
      return {
        ...done,
        view: entering(event.status),
        form: formOfDraft(event.draft, EMPTY_FORM),
        isUnsaved: true,
        notice: 'The settings are in the form. The key is still missing.',
        beside: { ...beside, importText: '' },
        focus: { to: 'apiKey' },
      };
  }
}

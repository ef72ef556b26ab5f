// The Connection page: which of its views is shown, and what its two buttons do in each.
import { useEffect, useRef } from 'preact/hooks';
import type { ConnectionDraft } from '../../rpc-contract';
import { type BarButton, BottomBar } from '../frame/bottom-bar';
import { Messages } from '../frame/message';
import type { PageEvent, PageState } from '../state';
import { WaitingLine } from '../waiting/waiting-line';
import type { ConnectionActions } from './actions';
import { CheckResult } from './check-result';
import { EntryForm, FORM_ID } from './entry-form';
import { draftOf, ownOf, problemsOf, tidyAddress, tidyKey } from './form';
import { StatusView } from './status-view';
import { failureOf, spokenOf, statusOf, waitingText } from './summary';

interface ConnectionPageProps {
  readonly state: PageState;
  readonly actions: ConnectionActions;
  dispatch(event: PageEvent): void;
}

interface Buttons {
  readonly primary: BarButton;
  readonly second?: BarButton;
}

/** What the bottom bar offers in each view. */
function buttonsOf({ state, actions, dispatch }: ConnectionPageProps): Buttons {
  const { view, check } = state;
  switch (view.at) {
    case 'loading':
      return { primary: { label: 'Loading', isBusy: true } };
    case 'unreached':
      return { primary: { label: 'Try again', press: () => void actions.load() } };
    case 'entering': {
      const primary = { label: ownOf(view.was) === null ? 'Connect' : 'Save', form: FORM_ID };
      if (!view.was.connected) return { primary };
      const back = { id: 'back', label: 'Back', press: () => dispatch({ type: 'changeLeft' }) };
      return { primary, second: back };
    }
    case 'saving':
      return {
        primary: { label: ownOf(view.was) === null ? 'Connecting' : 'Saving', isBusy: true },
      };
    case 'confirming':
      return {
        primary: {
          label: 'Remove key',
          isDangerous: true,
          describedBy: 'removal',
          press: () => void actions.remove(),
        },
        second: {
          id: 'keep',
          label: 'Keep it',
          describedBy: 'removal',
          press: () => dispatch({ type: 'removalLeft' }),
        },
      };
    case 'removing':
      return { primary: { label: 'Removing', isDangerous: true, isBusy: true } };
    case 'connected': {
      const isBusy = check.at === 'running';
      const again = check.at === 'none' ? 'Check' : 'Check again';
      const ownKey: BarButton = {
        id: 'change-apiKey',
        label: 'Use my own key',
        press: () => dispatch({ type: 'changeOpened', field: 'apiKey' }),
      };
      const remove: BarButton = {
        id: 'remove',
        label: 'Remove key',
        press: () => dispatch({ type: 'removalAsked' }),
      };
      return {
        primary: { label: isBusy ? 'Checking' : again, isBusy, press: () => void actions.check() },
        second: ownOf(view.status) === null ? ownKey : remove,
      };
    }
  }
}

function Body(props: ConnectionPageProps) {
  const { state, actions, dispatch } = props;
  const { view, form } = state;
  const keyInput = useRef<HTMLInputElement>(null);

  if (view.at === 'loading' || view.at === 'unreached') {
    return (
      <>
        <h1 id="title" tabIndex={-1}>
          Connection
        </h1>
        {view.at === 'loading' && <LoadingBones />}
        {view.at === 'unreached' && (
          <p class="lead">What is saved could not be read just now. Nothing was changed.</p>
        )}
      </>
    );
  }
  if (view.at === 'entering' || view.at === 'saving') {
    const { was } = view;
    const submit = (): void => {
      const key = tidyKey(keyInput.current?.value ?? '');
      const problems = problemsOf(form, was, key !== '');
      dispatch({ type: 'submitted', problems });
      if (Object.keys(problems).length === 0) void actions.save(draftOf(form, was, key));
    };
    return (
      <EntryForm
        was={was}
        form={form}
        problems={view.at === 'entering' ? view.problems : {}}
        isSaving={view.at === 'saving'}
        areSettingsOpen={state.areSettingsOpen}
        keyInput={keyInput}
        keyTyped={() => dispatch({ type: 'keyTyped' })}
        edit={(change) => dispatch({ type: 'edited', change })}
        tidy={() => {
          const baseUrl = tidyAddress(form.baseUrl);
          if (baseUrl !== form.baseUrl) dispatch({ type: 'edited', change: { baseUrl } });
        }}
        toggleSettings={(isOpen) => dispatch({ type: 'settingsToggled', isOpen })}
        submit={submit}
      />
    );
  }
  const change = (field: keyof ConnectionDraft) => dispatch({ type: 'changeOpened', field });
  return (
    <>
      <StatusView status={view.status} isBusy={view.at !== 'connected'} change={change} />
      <CheckResult check={state.check} />
    </>
  );
}

function LoadingBones() {
  return (
    <div class="bones" aria-hidden="true">
      <div class="bone" />
      <div class="bone" />
      <div class="bone" />
      <div class="bone" />
    </div>
  );
}

export function ConnectionPage(props: ConnectionPageProps) {
  const { state, dispatch } = props;
  const status = statusOf(state);
  const isAsking = state.view.at === 'confirming';
  useEffect(() => {
    // Heard wherever the focus is: Escape closes what Enter opened.
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') dispatch({ type: isAsking ? 'removalLeft' : 'changeLeft' });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [dispatch, isAsking]);
  return (
    <main class="page">
      <div class="body" aria-busy={state.view.at === 'loading'}>
        <Body {...props} />
      </div>
      <div class="foot">
        <WaitingLine text={waitingText(state.waiting)} />
        <Messages failure={failureOf(state)} notice={state.notice} spoken={spokenOf(state)} />
        {isAsking && (
          <p class="message caution" id="removal">
            {status?.connected === true && status.sharing === 'spreadsheet'
              ? 'Formulas in this spreadsheet stop answering until a key is connected again.'
              : 'Your formulas stop answering until you connect a key again.'}
          </p>
        )}
        <BottomBar {...buttonsOf(props)} />
      </div>
    </main>
  );
}

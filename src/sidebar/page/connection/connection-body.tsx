// What is read and typed on the Connection page, in each of its views.
import { useRef } from 'preact/hooks';
import type { ConnectionActions } from './actions';
import { ConnectedView } from './connected-view';
import { EntryForm } from './entry-form';
import { draftOf, problemsOf, tidyAddress, tidyKey } from './form';
import { SamplingView } from './sampling-view';
import type { ConnectionEvent, ConnectionState } from './state';

interface ConnectionBodyProps {
  readonly state: ConnectionState;
  readonly actions: ConnectionActions;
  dispatch(event: ConnectionEvent): void;
}

function Entering({ state, actions, dispatch }: ConnectionBodyProps) {
  const { view, form } = state;
  const keyInput = useRef<HTMLInputElement>(null);
  if (view.at !== 'entering' && view.at !== 'saving') return null;
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

interface PlainViewProps {
  readonly isLoading: boolean;
}

function PlainView({ isLoading }: PlainViewProps) {
  return (
    <>
      <h1 class="heard" id="connection-title" tabIndex={-1}>
        Connection
      </h1>
      {isLoading ? (
        <div class="bones" aria-hidden="true">
          <div class="bone" />
          <div class="bone" />
          <div class="bone" />
          <div class="bone" />
        </div>
      ) : (
        <p class="lead">What is saved could not be read just now. Nothing was changed.</p>
      )}
    </>
  );
}

export function ConnectionBody(props: ConnectionBodyProps) {
  const { state, actions } = props;
  const { view } = state;
  switch (view.at) {
    case 'loading':
    case 'unreached':
      return <PlainView isLoading={view.at === 'loading'} />;
    case 'entering':
    case 'saving':
      return <Entering {...props} />;
    case 'sampling':
      return <SamplingView isBusy={state.errand !== null} stop={() => void actions.stopDemo()} />;
    default:
      return <ConnectedView {...props} status={view.status} />;
  }
}

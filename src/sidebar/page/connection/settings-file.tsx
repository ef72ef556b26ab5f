// The settings as text: taken out for another spreadsheet or a colleague, and put in again.
import { useRef, useState } from 'preact/hooks';
import { Fold } from '../controls/fold';

/** Pages in Sheets have no other way to the clipboard than the browser's old command. */
function copy(area: HTMLTextAreaElement | null): boolean {
  area?.focus();
  area?.select();
  return document.execCommand('copy');
}

/** The text is selected by then. */
const BY_HAND = 'Press Ctrl+C (⌘C on a Mac) to copy.';

interface SettingsFileProps {
  readonly exported: string | null;
  readonly importText: string;
  readonly isBusy: boolean;
  /** null where there is nothing to take out. */
  readonly takeOut: (() => void) | null;
  edit(importText: string): void;
  putIn(): void;
}

function TakeOut({
  exported,
  isBusy,
  takeOut,
}: Pick<SettingsFileProps, 'exported' | 'isBusy'> & {
  takeOut(): void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [said, say] = useState('');
  return (
    <div class="field">
      {exported === null ? (
        <button class="link" type="button" disabled={isBusy} onClick={takeOut}>
          Show my settings as text
        </button>
      ) : (
        <>
          <label for="settings-text">Settings as text, without the key</label>
          <textarea id="settings-text" ref={area} rows={4} readOnly value={exported} />
          <p class="links">
            <button
              class="link"
              type="button"
              onClick={() => say(copy(area.current) ? 'Copied.' : BY_HAND)}
            >
              Copy
            </button>
            <span class="caption" aria-live="polite">
              {said}
            </span>
          </p>
        </>
      )}
    </div>
  );
}

export function SettingsFile(props: SettingsFileProps) {
  const { exported, importText, isBusy, takeOut, edit, putIn } = props;
  const [isOpen, toggle] = useState(importText !== '');
  return (
    <Fold
      id="connection-file"
      name="Copy settings"
      hint="To another spreadsheet or a colleague. Never the key."
      isOpen={isOpen}
      toggle={toggle}
    >
      {takeOut !== null && <TakeOut exported={exported} isBusy={isBusy} takeOut={takeOut} />}
      <div class="field">
        <label for="connection-import">Settings from elsewhere</label>
        <textarea
          id="connection-import"
          rows={4}
          spellcheck={false}
          placeholder="Paste the text here"
          value={importText}
          readOnly={isBusy}
          onInput={(event) => edit(event.currentTarget.value)}
        />
        <button
          class="link"
          type="button"
          disabled={isBusy || importText.trim() === ''}
          onClick={putIn}
        >
          Use these settings
        </button>
      </div>
    </Fold>
  );
}

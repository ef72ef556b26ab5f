// Whose key pays: the choice between one person and the formulas of this spreadsheet.
import type { Sharing } from '../../rpc-contract';
import { Choice } from '../controls/choice';
import { Problem } from '../controls/field';
import type { ConnectionForm } from './form';

/** What the choice is called, here and where it is summed up. */
export const SHARING_NAMES: Readonly<Record<Sharing, string>> = {
  me: 'Only me',
  spreadsheet: 'This spreadsheet’s formulas',
};

const SHARING_HINTS: Readonly<Record<Sharing, string>> = {
  me: 'For you in this sidebar, and for formulas in spreadsheets you own.',
  spreadsheet: 'Everyone who edits here spends your calls. The key is not shown to them.',
};

const CHOICES: readonly Sharing[] = ['me', 'spreadsheet'];

interface SharingFieldProps {
  readonly sharing: Sharing;
  readonly problem: string | undefined;
  readonly isSaving: boolean;
  edit(change: Partial<ConnectionForm>): void;
}

export function SharingField({ sharing, problem, isSaving, edit }: SharingFieldProps) {
  return (
    <fieldset class="field">
      <legend>Who uses it</legend>
      {CHOICES.map((choice) => (
        <Choice
          key={choice}
          type="radio"
          group="sharing"
          // The chosen one takes the focus when this field is to be changed or mended.
          id={choice === sharing ? 'sharing' : `sharing-${choice}`}
          label={SHARING_NAMES[choice]}
          hint={SHARING_HINTS[choice]}
          isChecked={choice === sharing}
          isDisabled={isSaving}
          choose={() => edit({ sharing: choice })}
        />
      ))}
      <Problem id="sharing-problem" text={problem} />
    </fieldset>
  );
}

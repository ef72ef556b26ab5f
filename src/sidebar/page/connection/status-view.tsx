// What is connected, line by line, each line with the way to change it.
import { type Connected, limitText, ownOf } from './form';
import { settingsText } from './settings';
import type { Change } from './state';
import { hostOf } from './summary';

interface LineProps {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
  readonly field: Change;
  readonly verb: string;
  readonly isBusy: boolean;
  readonly change: ((change: Change) => void) | null;
}

function Line({ name, value, title, field, verb, isBusy, change }: LineProps) {
  return (
    <div class="line">
      <dt>{name}</dt>
      <dd title={title}>{value}</dd>
      {change !== null && (
        <dd class="verb">
          <button
            class="link"
            type="button"
            id={`change-${field}`}
            disabled={isBusy}
            aria-label={`${verb} ${name.toLowerCase()}`}
            onClick={() => change(field)}
          >
            {verb}
          </button>
        </dd>
      )}
    </div>
  );
}

interface StatusViewProps {
  readonly status: Connected;
  readonly isBusy: boolean;
  change(change: Change): void;
}

export function StatusView({ status, isBusy, change }: StatusViewProps) {
  const { baseUrl, keyMask, settings } = status;
  const set = settingsText(settings);
  const shared = { isBusy, change: ownOf(status) === null ? null : change };
  return (
    <dl class="lines">
      <Line
        {...shared}
        name="Address"
        value={hostOf(baseUrl)}
        title={baseUrl}
        field="baseUrl"
        verb="Edit"
      />
      <Line {...shared} name="Key" value={keyMask} field="apiKey" verb="Replace" />
      <Line {...shared} name="Limit" value={limitText(status)} field="quota" verb="Edit" />
      {set !== '' && <Line {...shared} name="Settings" value={set} field="settings" verb="Edit" />}
    </dl>
  );
}

// What a schedule keeps fresh: the list it was made for, the one on view, or formulas.
import type { FormulasTask, ListTask } from '../../schedule-contract';
import { Picker } from '../analyze/picker';
import { countText } from '../analyze/words';
import type { PartProps } from './form-parts';
import type { Edit, ListView } from './state';

/** A list to choose, by a name of its own and in words. */
type Choice = readonly [name: 'list' | 'view', text: string, task: ListTask];

const placeOf = ({ sheetId, headerRow, productColumn, market }: ListTask) => ({
  ...{ sheetId, headerRow, productColumn, market },
});

const isSamePlace = (one: ListTask, other: ListTask): boolean =>
  JSON.stringify(placeOf(one)) === JSON.stringify(placeOf(other));

/** The schedule's own, else what the form began with; and the one on view where that is another. */
function listsOf({ look }: ListView, { form }: Edit): readonly Choice[] {
  const mine = look.schedules.find(({ id }) => id === form.id);
  const own = [mine?.settings.task, form.task].find((one) => one?.kind === 'list');
  const task = look.suggestion?.task;
  const onView = task?.kind === 'list' ? task : null;
  const viewText = `List on ${look.suggestionSheet}`;
  if (own?.kind !== 'list') return onView === null ? [] : [['list', viewText, onView]];
  const isOwnSheet = onView?.sheetId === own.sheetId;
  const sheetName = mine?.sheetName || (isOwnSheet ? look.suggestionSheet : 'another sheet');
  const list: Choice = ['list', `List on ${sheetName}`, own];
  if (onView === null || isSamePlace(own, onView)) return [list];
  // Where its columns moved it finds them by itself, as long as it says nothing else.
  if (isOwnSheet && mine?.problem === undefined) return [list];
  const text = isOwnSheet ? `${viewText}, as it is now` : viewText;
  return [list, ['view', text, { ...own, ...placeOf(onView) }]];
}

export function WhatPicker({ view, edit, change }: PartProps & { readonly view: ListView }) {
  const lists = listsOf(view, edit);
  const { task } = edit.form;
  const { formulaCells } = view.look;
  const formulas: FormulasTask = { kind: 'formulas' };
  const hasFormulas = formulaCells > 0 || task.kind === 'formulas';
  const chosen = lists.find(([, , one]) => task.kind === 'list' && isSamePlace(one, task));
  return (
    <Picker
      id="schedule-what"
      label="What"
      value={task.kind === 'formulas' ? task.kind : (chosen?.[0] ?? 'list')}
      options={[
        ...lists.map(([name, text]) => [name, text] as const),
        ...(hasFormulas ? [['formulas', countText(formulaCells, 'formula')] as const] : []),
      ]}
      choose={(wanted) => {
        const list = lists.find(([name]) => name === wanted);
        if (wanted === 'formulas') change({ task: formulas });
        else if (list !== undefined) change({ task: list[2] });
      }}
    />
  );
}

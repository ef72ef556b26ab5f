// A form that was kept while the sidebar was closed: taken back only if all of it can be trusted.
import { FORMULAS_EVERY_MORNING, formOf, type ScheduleForm } from './form';

/** The name it is kept under. */
export const FORM_DRAFT = 'schedule-form';

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Every member of the one has its like in the other, all the way down. */
function isLike(value: unknown, model: unknown): boolean {
  if (!isObject(model)) return typeof value === typeof model;
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(model)) return false;
  return Object.entries(model).every(([name, part]) => isLike(Reflect.get(value, name), part));
}

const KINDS: readonly unknown[] = ['hourly', 'daily', 'weekdays', 'weekly', 'monthly'];
const LIST = {
  sheetId: 0,
  headerRow: 0,
  productColumn: 0,
  market: {},
  rows: '',
  fields: [],
  order: '',
};

export function formFrom(kept: unknown): ScheduleForm | null {
  if (!isLike(kept, formOf('', FORMULAS_EVERY_MORNING))) return null;
  const form = kept as ScheduleForm;
  const isList = form.task.kind === 'list' && isLike(form.task, LIST);
  return KINDS.includes(form.every) && (isList || form.task.kind === 'formulas') ? form : null;
}

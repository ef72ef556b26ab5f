// What was typed on the Connection page when the sidebar was closed, looked through.
import { type ConnectionForm, EMPTY_FORM } from './form';
import { settingsFormFrom } from './settings';
import type { Beside } from './state';

/** The names under which they are kept. */
export const FORM_DRAFT = 'connection-form';
export const BESIDE_DRAFT = 'connection-beside';

export function formFrom(kept: unknown): ConnectionForm | null {
  if (typeof kept !== 'object' || kept === null) return null;
  const of = (field: keyof ConnectionForm): unknown => Reflect.get(kept, field);
  const perSeconds = of('perSeconds');
  return {
    ...settingsFormFrom(of),
    baseUrl: typeof of('baseUrl') === 'string' ? String(of('baseUrl')) : EMPTY_FORM.baseUrl,
    calls: typeof of('calls') === 'string' ? String(of('calls')) : EMPTY_FORM.calls,
    perSeconds: typeof perSeconds === 'number' ? perSeconds : EMPTY_FORM.perSeconds,
    findOut: of('findOut') === true,
    sharing: of('sharing') === 'spreadsheet' ? 'spreadsheet' : 'me',
    cellsPerDay: typeof of('cellsPerDay') === 'string' ? String(of('cellsPerDay')) : '',
  };
}

export function besideFrom(kept: unknown): Beside {
  const of = (field: keyof Beside): string => {
    const value = typeof kept === 'object' && kept !== null ? Reflect.get(kept, field) : null;
    return typeof value === 'string' ? value : '';
  };
  return { product: of('product'), importText: of('importText') };
}

// Keeps the cell names in Univer's formulas in step with those of the spreadsheet.
import { toA1 } from 'apps-script-host/sheet/a1-notation';
import { featuresOf } from 'apps-script-host/sheet/book-features';
import type { SheetModel } from 'apps-script-host/sheet/model';
import type { UniverWorkbook } from './univer-workbook';

/** From now on, a name that is set, moved or removed changes for formulas as well. */
export function followNames(
  { univer, injector, commands, workbook, calculation }: UniverWorkbook,
  model: SheetModel,
): void {
  const features = featuresOf(model);
  const unitId = workbook.getId();
  const functions = injector.get(univer.IFunctionService);
  const known = injector.get(univer.IDefinedNamesService);
  const update = (): void => {
    const before = known.getDefinedNameMap(unitId) ?? {};
    const wanted = meanings(model);
    let hasChanged = false;
    const change = (mutation: string, name: string, formulaOrRefString: string): void => {
      commands.syncExecuteCommand(mutation, { unitId, id: name, name, formulaOrRefString });
      hasChanged = true;
    };
    for (const [name, means] of wanted) {
      if (before[name]?.formulaOrRefString !== means)
        change(univer.SetDefinedNameMutation.id, name, means);
    }
    for (const { id, formulaOrRefString } of Object.values(before)) {
      if (!wanted.has(id)) change(univer.RemoveDefinedNameMutation.id, id, formulaOrRefString);
    }
    if (!hasChanged) return;
    // Univer caches parsed formulas with the cells that a name stood for then. It keys long ones by
    // a number instead of their text, so the whole cache is cleared.
    functions.deleteFormulaAstCacheKey('');
    calculation.markAll();
  };
  features.onNames(update);
  model.onChange(({ kind }) => {
    if (kind !== 'cells' && kind !== 'marks') update();
  });
}

/** What each name stands for in a formula. #REF! if its cells no longer exist. */
function meanings(model: SheetModel): ReadonlyMap<string, string> {
  const sheets = model.sheets();
  return new Map(
    featuresOf(model)
      .names()
      .map(({ name, sheetId, rectangle }) => {
        const sheet = sheets.find(({ id }) => id === sheetId);
        if (!sheet || !rectangle) return [name, '#REF!'];
        const fixed = toA1(rectangle).replace(/([A-Z]+)(\d+)/g, '$$$1$$$2');
        return [name, `'${sheet.name.replaceAll("'", "''")}'!${fixed}`];
      }),
  );
}

// Turns what entry.ts re-exports into top-level functions with named parameters under their JSDoc,
// the only form that Sheets calls from cells, lists in its autocompletion and shows help for.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type FunctionDeclaration, type Program, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { NAMESPACE } from './globals';

/** Which exports Sheets lists in its autocompletion, and which it only calls. */
export interface Script {
  /** The file that exports them, from the project's root. */
  readonly entry: string;
  readonly customFunctions: readonly string[];
  readonly handlers: readonly string[];
}

interface Export {
  readonly name: string;
  /** The module that defines it. */
  readonly file: string;
}

function parseTypeScript(file: string): Program {
  const { code } = transformSync(readFileSync(file, 'utf8'), { loader: 'ts' });
  return parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
}

/** The public list is read from entry.ts itself, so nothing becomes callable by accident. */
function exportsOf(entryFile: string): readonly Export[] {
  return parseTypeScript(entryFile).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || typeof statement.source?.value !== 'string')
      throw new Error(`${entryFile} may only re-export names: export { NAME } from './module'`);
    const file = resolve(dirname(entryFile), `${statement.source.value}.ts`);
    if (!existsSync(file)) throw new Error(`${entryFile} re-exports from a missing file: ${file}`);
    return statement.specifiers.map(({ local, exported }) => {
      if (exported.type !== 'Identifier' || local.type !== 'Identifier')
        throw new Error(`${entryFile}: names of exports are plain identifiers`);
      if (exported.name !== local.name)
        throw new Error(`${entryFile}: ${local.name} is renamed, so its JSDoc cannot be found`);
      return { name: exported.name, file };
    });
  });
}

function checkNames(names: readonly string[], expected: readonly string[]): void {
  const missing = expected.filter((name) => !names.includes(name));
  const extra = names.filter((name) => !expected.includes(name));
  const faults = [
    ...missing.map((name) => `${name} is missing`),
    ...extra.map((name) => `${name} is not in the list of globals`),
  ];
  if (faults.length > 0) throw new Error(`entry.ts: ${faults.join('; ')}`);
}

/** A type-less look at the function: esbuild drops the types, acorn finds the parameters. */
function parametersOf({ name, file }: Export): readonly string[] {
  const found = parseTypeScript(file)
    .body.map((statement) =>
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
    )
    .find(
      (node): node is FunctionDeclaration =>
        node?.type === 'FunctionDeclaration' && node.id?.name === name,
    );
  if (found === undefined) throw new Error(`${file} has no "export function ${name}"`);
  return found.params.map((parameter) => {
    const target = parameter.type === 'AssignmentPattern' ? parameter.left : parameter;
    if (target.type !== 'Identifier')
      throw new Error(`${file}: every parameter of ${name} needs a plain name, for Sheets to show`);
    return target.name;
  });
}

function docOf({ name, file }: Export, isCustom: boolean): string {
  const source = readFileSync(file, 'utf8');
  const form = new RegExp(`(/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/)\\s*export function ${name}\\b`);
  const doc = form.exec(source)?.[1] ?? '';
  if (isCustom && doc === '') throw new Error(`${file}: ${name} has no JSDoc right above it`);
  if (isCustom !== doc.includes('@customfunction'))
    throw new Error(
      `${file}: the JSDoc of ${name} must ${isCustom ? '' : 'not '}say @customfunction`,
    );
  // Sheets reads the help of custom functions alone; of the others each cell would load it in vain.
  return isCustom ? doc : '';
}

function declare(item: Export, isCustom: boolean): string {
  const parameters = parametersOf(item).join(', ');
  const call = `${NAMESPACE}.${item.name}(${parameters})`;
  const text = `function ${item.name}(${parameters}) { return ${call}; }`;
  return [docOf(item, isCustom), text].filter((part) => part !== '').join('\n');
}

/** One declaration for each export of the entry, in their order. */
export function declarationsOf(root: string, script: Script): string {
  const { entry, customFunctions, handlers } = script;
  const items = exportsOf(resolve(root, entry));
  checkNames(
    items.map(({ name }) => name),
    [...customFunctions, ...handlers],
  );
  const local = items.map(({ name, file }) => ({ name, file: relative(process.cwd(), file) }));
  return local.map((item) => declare(item, customFunctions.includes(item.name))).join('\n');
}

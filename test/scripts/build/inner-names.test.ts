// Members that the build writes short, as the source has them: none may be known outside of the script's memory.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { INNER_NAMES } from '../../../scripts/build/inner-names';
import { nodesOf, readTree, type SourceFile } from '../../architecture/source-tree';

const INNER_MEMBERS = Object.keys(INNER_NAMES);
const ROOT = resolve(__dirname, '../../..');
const SOURCE = readTree(ROOT, 'src');

const isInner = (node: ts.Node | undefined): boolean =>
  node !== undefined && ts.isIdentifier(node) && INNER_MEMBERS.includes(node.text);

/** Types that may be anything: what they hold came from outside. */
const ANYTHING = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;

/** Members of our own in all that a type holds, down to the last; functions are neither stored nor sent. */
function heldBy(checker: ts.TypeChecker) {
  const names = new Set<string>();
  const seen = new Set<ts.Type>();
  function add(type: ts.Type): void {
    if (seen.has(type) || type.getCallSignatures().length > 0) return;
    seen.add(type);
    const parts = type.isUnionOrIntersection() ? type.types : [];
    const args = checker.getTypeArguments(type as ts.TypeReference) ?? [];
    const tables = checker.getIndexInfosOfType(type).map((index) => index.type);
    for (const one of [...parts, ...args, ...tables]) add(one);
    for (const property of checker.getPropertiesOfType(type)) {
      const isForeign = property.declarations?.every(
        (one) => one.getSourceFile().isDeclarationFile,
      );
      if (isForeign === true) continue;
      const held = checker.getTypeOfSymbol(property);
      if (held.getCallSignatures().length === 0) names.add(property.name);
      add(held);
    }
  }
  return { names, add };
}

/** Of a call what becomes text, of a claim about what came from outside the type, of methods all. */
function crossing(node: ts.Node, checker: ts.TypeChecker): readonly ts.Type[] {
  const typesOf = (nodes: readonly ts.Node[] = []) =>
    nodes.map((one) => checker.getTypeAtLocation(one));
  if (ts.isVariableDeclaration(node) && node.name.getText() === 'METHODS') return typesOf([node]);
  if (ts.isAsExpression(node)) {
    const isClaim = (checker.getTypeAtLocation(node.expression).flags & ANYTHING) !== 0;
    return isClaim ? typesOf([node.type]) : [];
  }
  if (!ts.isCallExpression(node)) return [];
  if (node.expression.getText() === 'JSON.stringify') return typesOf(node.arguments);
  // What a generic function stores is known where it is called.
  return node.expression.getText() === 'homeList' ? typesOf(node.typeArguments) : [];
}

/** Of a place that names members by a value, and of a table that is made for it: what the value may be. */
function keysUsed(node: ts.Node, checker: ts.TypeChecker): readonly string[] {
  if (ts.isElementAccessExpression(node)) {
    const type = checker.getTypeAtLocation(node.argumentExpression);
    const parts = type.isUnion() ? type.types : [type];
    return parts.flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  }
  if (ts.isObjectLiteralExpression(node)) {
    const isTable = checker.getContextualType(node)?.getStringIndexType() !== undefined;
    return isTable ? node.properties.map(({ name }) => name?.getText() ?? '') : [];
  }
  if (!ts.isCallExpression(node) || !/^Object\.(keys|entries)$/.test(node.expression.getText()))
    return [];
  const [table] = node.arguments;
  return table === undefined
    ? []
    : checker
        .getPropertiesOfType(checker.getTypeAtLocation(table))
        .filter(({ declarations = [] }) =>
          declarations.some((one) => !one.getSourceFile().isDeclarationFile),
        )
        .map(({ name }) => name);
}

function serverNames() {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.server.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const held = heldBy(checker);
  const keys = new Set<string>();
  const walk = (node: ts.Node): void => {
    for (const type of crossing(node, checker)) held.add(type);
    for (const key of keysUsed(node, checker)) keys.add(key);
    ts.forEachChild(node, walk);
  };
  for (const file of program.getSourceFiles()) if (!file.isDeclarationFile) walk(file);
  return { lasting: held.names, keys };
}

/** `name: z.string()` and its like: what a payload or a stored record may have. */
function inSchemas(file: SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) =>
    ts.isPropertyAssignment(node) && isInner(node.name) && startsAsSchema(node.initializer)
      ? [`${file.path}: ${nameOf(node.name)}`]
      : [],
  );
}

const nameOf = (node: ts.Node): string => (ts.isIdentifier(node) ? node.text : '');

/** Down the chain of calls and members to what it begins with. */
function startsAsSchema(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node))
    return startsAsSchema(node.expression);
  return nameOf(node) === 'z';
}

/** `value['name']` and `'name' in value`, which the build leaves as they are. */
function asText(file: SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    const text =
      ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)
        ? node.argumentExpression.text
        : ts.isBinaryExpression(node) && ts.isStringLiteral(node.left)
          ? node.left.text
          : '';
    return INNER_MEMBERS.includes(text) ? [`${file.path}: ${text}`] : [];
  });
}

describe('members that are written short', () => {
  const names = serverNames();

  it('are no keys of tables, by which a value names them', () => {
    for (const name of ['change', 'lock', 'write', 'cache']) expect(names.keys).toContain(name);
    expect(INNER_MEMBERS.filter((name) => names.keys.has(name))).toEqual([]);
  });

  it('are in nothing that is stored, read from a store, or said between page and server', () => {
    const { lasting } = names;
    for (const name of ['startedMs', 'headerRow', 'keyMask', 'nextAtMs', 'fingerprint', 'tatMs'])
      expect(lasting).toContain(name);
    expect(INNER_MEMBERS.filter((name) => lasting.has(name))).toEqual([]);
  });

  it('are in no schema of what is stored or sent', () => {
    expect(SOURCE.filter(({ path }) => path.endsWith('.ts')).flatMap(inSchemas)).toEqual([]);
  });

  it('have a name of one letter, or of one and a digit, each', () => {
    const letters = Object.values(INNER_NAMES);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.filter((letter) => !/^[A-Z][1-9]?$/.test(letter))).toEqual([]);
  });

  it('are asked for by name and never by text', () => {
    expect(SOURCE.filter(({ path }) => path.endsWith('.ts')).flatMap(asText)).toEqual([]);
  });

  it.each(['spreadsheet', 'properties', 'cache', 'lock', 'script', 'url-fetch', 'html', 'base'])(
    'are no members of %s in Google’s services',
    (service) => {
      const folder = join(ROOT, 'node_modules/@types/google-apps-script');
      const text = readFileSync(join(folder, `google-apps-script.${service}.d.ts`), 'utf8');
      const members = new Set(
        [...text.matchAll(/^\s+(?:readonly )?(\w+)\??[(:]/gm)].map(([, name]) => name ?? ''),
      );
      expect(INNER_MEMBERS.filter((name) => members.has(name))).toEqual([]);
    },
  );
});

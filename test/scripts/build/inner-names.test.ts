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

/** Names of members that a file declares or makes, of types, schemas and values alike. */
function declaredIn(file: SourceFile): readonly string[] {
  return nodesOf(file).flatMap((node) => {
    const isMember =
      ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node);
    return isMember && isInner(node.name) ? [`${file.path}: ${nameOf(node.name)}`] : [];
  });
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
  it('are no part of what the page and the server say to each other', () => {
    const contracts = SOURCE.filter(({ path }) => /sidebar\/api\/[a-z-]+-contract\.ts$/.test(path));
    expect(contracts.length).toBeGreaterThan(2);
    expect(contracts.flatMap(declaredIn)).toEqual([]);
  });

  it('are in no schema of what is stored or sent', () => {
    expect(SOURCE.filter(({ path }) => path.endsWith('.ts')).flatMap(inSchemas)).toEqual([]);
  });

  it('have a letter each', () => {
    const letters = Object.values(INNER_NAMES);
    expect(new Set(letters).size).toBe(letters.length);
    expect(letters.filter((letter) => !/^[A-Z]$/.test(letter))).toEqual([]);
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

// Reads source files with what the rules of the house need to know of each: imports and syntax.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import ts from 'typescript';

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  /** A path from the project's root without extension, or the name of a package. */
  readonly target: string;
  readonly isPackage: boolean;
  /** Nothing of it is there when the script runs. */
  readonly isType: boolean;
}

const CODE = /\.(?:tsx?|mjs|cjs)$/;

/** Every file under a folder; those whose form the rules know are picked by the rules. */
export function readTree(root: string, folder: string): readonly SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(root, file).split('\\').join('/'),
      text: readFileSync(file, 'utf8'),
    }))
    .sort((a, b) => a.path.localeCompare(b.path));
}

export function isCode({ path }: SourceFile): boolean {
  return CODE.test(path);
}

/** Types count too: knowing another room's types is knowing the room. */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  return ts.preProcessFile(text).importedFiles.map(({ fileName, pos }) => {
    const isPackage = !fileName.startsWith('.');
    const target = isPackage ? fileName : posix.join(posix.dirname(path), fileName);
    const isType = /(?:^|\n)(?:im|ex)port type [^;'"]*['"]?$/.test(text.slice(0, pos + 1));
    return { target: target.replace(CODE, ''), isPackage, isType };
  });
}

/** Every node of the file's syntax tree; comments and texts are none. */
export function nodesOf({ path, text }: SourceFile): readonly ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext));
  return nodes;
}

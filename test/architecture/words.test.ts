// Every sentence and label of the sidebar stands in its page's `texts.ts`, where all of them are read
// side by side: nowhere else has the page's code words for a person.
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { isCode, readTree, type SourceFile } from './source-tree';

const ROOT = resolve(__dirname, '../..');
const PAGES = 'src/sidebar/page';

/** A script of its own, which says that the page's script did not start: it is nothing but its words. */
const NOT_STARTED = `${PAGES}/not-started.ts`;

/** Verdicts as the sheet holds them: the buttons and lists here compare and count them. */
const VALUES = ['Buy', 'Maybe', 'Skip', 'No verdict'];

/** What a browser is told and nobody reads. */
const FOR_THE_BROWSER =
  /^(?:class|id|for|key|d|path|viewBox|rel|style|href|group|field|type|fill|role|tone|look|name|aria-(?:describedby|controls|labelledby|live|haspopup))$/;

/** Attributes that are read or read out, whatever they say. */
const READ = /^(?:aria-label|title|placeholder|label|hint|lead|text|words|verb)$/;

const attributeOf = (node: ts.Node): string | null => {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isJsxAttribute(at)) return at.name.getText();
    if (ts.isJsxElement(at) || ts.isJsxFragment(at) || ts.isFunctionLike(at)) return null;
  }
  return null;
};

/** Drawn between a tag and its end, be it one of two. */
const isDrawn = (node: ts.Node): boolean => {
  let at = node.parent;
  while (
    ts.isConditionalExpression(at) ||
    ts.isTemplateExpression(at) ||
    ts.isTemplateSpan(at) ||
    (ts.isBinaryExpression(at) && at.right === node)
  )
    at = at.parent;
  return ts.isJsxExpression(at) && !ts.isJsxAttribute(at.parent);
};

const isCompared = ({ parent }: ts.Node): boolean =>
  ts.isCaseClause(parent) ||
  (ts.isBinaryExpression(parent) && /^[!=]==$/.test(parent.operatorToken.getText()));

/** For developers, or no value at all. */
const isAside = (node: ts.Node): boolean =>
  ts.isImportDeclaration(node) ||
  ts.isLiteralTypeNode(node) ||
  ts.isTemplateLiteralTypeNode(node) ||
  (ts.isNewExpression(node) && node.expression.getText() === 'Error');

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** Begins as a sentence or a label does, or has words with a blank between or beside them. */
const isProse = (text: string): boolean =>
  /^\p{Lu}\p{Ll}/u.test(text) || (/\p{L}{2}/u.test(text) && text.includes(' '));

function isForPeople(node: ts.Node): boolean {
  if (ts.isJsxText(node)) return hasLetters(node.text);
  const isText =
    ts.isStringLiteralLike(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddle(node) ||
    ts.isTemplateTail(node);
  if (!isText || VALUES.includes(node.text) || isCompared(node)) return false;
  const attribute = attributeOf(node);
  if (attribute !== null && FOR_THE_BROWSER.test(attribute)) return false;
  const isRead = (attribute !== null && READ.test(attribute)) || isDrawn(node);
  return isRead ? hasLetters(node.text) : isProse(node.text);
}

function wordsIn({ path, text }: SourceFile): readonly string[] {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true, kind);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (isAside(node)) return;
    if (isForPeople(node)) found.push(`${path}: ${node.getText().trim()}`);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

const inCode = (text: string) => wordsIn({ path: 'view.tsx', text }).length;

describe('words for people are seen', () => {
  it.each([
    ['in the text of an element', '<p>no rows</p>'],
    ['in one of two texts', "<p>{isOn ? 'on' : off}</p>"],
    ['behind a condition', "<p>{isOn && 'on'}</p>"],
    ['in a template that is drawn', '<p>{`${count}rows`}</p>'],
    ['in a label for those who hear the page', '<a aria-label="more" />'],
    ['in a label that depends', "<a title={isOn ? 'stop' : go} />"],
    ['in a button', "const button = { label: 'Stop' };"],
    ['in a sentence of a state', 'const notice = `${rows} rows selected.`;'],
  ])('%s', (_where, text) => {
    expect(inCode(text)).toBe(1);
  });

  it.each([
    ['a class', "<p class={`message ${isBad ? 'bad one' : ''}`} />"],
    ['an id', '<p aria-describedby={`${id}-unit ${id}-problem`} />'],
    ['a comparison', "if (key === 'Escape') leave();"],
    ['an event', "dispatch({ type: 'lookAsked' });"],
    ['a mistake of ours', "throw new Error('There is no page.');"],
  ])('and not in %s', (_what, text) => {
    expect(inCode(text)).toBe(0);
  });
});

describe("a page's words", () => {
  const files = readTree(ROOT, PAGES).filter(isCode);

  it('stand in one file for each page', () => {
    const pages = files.map(({ path }) => path).filter((path) => path.endsWith('/texts.ts'));
    expect(pages).toEqual(
      ['analyze', 'connection', 'deals', 'schedule', 'ui'].map(
        (page) => `${PAGES}/${page}/texts.ts`,
      ),
    );
  });

  it('stand nowhere else', () => {
    const others = files.filter(({ path }) => path !== NOT_STARTED && !path.endsWith('/texts.ts'));
    expect(others.flatMap(wordsIn)).toEqual([]);
  });
});

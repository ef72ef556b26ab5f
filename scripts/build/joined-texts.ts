// Writes texts that are joined with `+` in place of the `concat` that the bundler makes of template literals.
import { type AnyNode, type CallExpression, parse } from 'acorn';

/** `"a".concat(b, c)` as its parts: the text, then each argument; null: it is no such call. */
function partsOf(node: AnyNode): readonly AnyNode[] | null {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
  const { object, property, computed } = node.callee;
  if (computed || property.type !== 'Identifier' || property.name !== 'concat') return null;
  const isText = object.type === 'Literal' && typeof object.value === 'string';
  const before = isText ? [object] : partsOf(object);
  const args: CallExpression['arguments'] = node.arguments;
  if (before === null || args.some(({ type }) => type === 'SpreadElement')) return null;
  return [...before, ...args];
}

/** What stands beside a `+` as it is. */
const BINDS_TIGHTLY: readonly string[] = [
  ...['Identifier', 'Literal', 'MemberExpression', 'CallExpression'],
];

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const partsWithin = (node: AnyNode): readonly AnyNode[] =>
  Object.values(node)
    .flat()
    .filter(isNode)
    .sort((one, other) => one.start - other.start);

/** The same program, shorter: `"a".concat(b)` is `("a"+b)`. */
export function joinedTexts(script: string): string {
  const written = (node: AnyNode): string => {
    const parts = partsOf(node);
    if (parts !== null)
      return `(${parts
        .map((part) => (BINDS_TIGHTLY.includes(part.type) ? written(part) : `(${written(part)})`))
        .join('+')})`;
    let text = '';
    let end = node.start;
    for (const inner of partsWithin(node)) {
      // A shorthand property is one place with two names.
      if (inner.start < end) continue;
      text += script.slice(end, inner.start) + written(inner);
      end = inner.end;
    }
    return text + script.slice(end, node.end);
  };
  return written(parse(script, { ecmaVersion: 'latest', sourceType: 'script' }));
}

// What the page's script is made into: the same program, in which nobody finds a comment or markup.
import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { parseExpressionAt } from 'acorn';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import { checkPlain, plainScript } from '../../../scripts/build/plain-script';
import { sampleSize } from '../../sample';

const RUNS = sampleSize(1_000, 150);

/** As a page's script comes out of the bundler. */
const bundled = (script: string): string =>
  transformSync(script, {
    charset: 'ascii',
    minify: true,
    supported: { 'template-literal': false },
  }).code;

/** The plain script of a bundled one; null where the build would stop, as something is left. */
function plainOrNone(script: string): string | null {
  try {
    return plainScript(bundled(script));
  } catch (error) {
    if (!String(error).includes('which Google may misread')) throw error;
    return null;
  }
}

const CONTEXT = createContext({});

/** What a script comes to, as text: also where it throws. */
function resultOf(script: string): string {
  try {
    return String(runInContext(`JSON.stringify((()=>{${script}\n})())`, CONTEXT));
  } catch (error) {
    return String(error);
  }
}

/** On purpose not the build's own expression. */
const SIGNS = ['//', '/*', '`', '<!--', '-->', '</script', '</style', '</'];

function expectPlain(script: string): void {
  expect(SIGNS.filter((sign) => script.toLowerCase().includes(sign))).toEqual([]);
  expect([...script].every((letter) => letter === '\n' || (letter >= ' ' && letter <= '~'))).toBe(
    true,
  );
}

/** A script as it is written, and what it returns. */
const SAME: readonly (readonly [string, string, unknown])[] = [
  ['an address', 'return "https://example.com//a"', 'https://example.com//a'],
  ['many slashes', "return '/////'", '/////'],
  ['slashes that are escaped already', 'return "\\/\\//\\\\//"', '////\\//'.slice(1)],
  ['signs of a comment', 'return "/* a */ /** b **/"', '/* a */ /** b **/'],
  ['closing tags', 'return "</script></SCRIPT></style><\\/p>"', '</script></SCRIPT></style></p>'],
  ['a closing tag after a backslash', 'return "\\</script>\\\\</script>"', '</script>\\</script>'],
  ['marks of an HTML comment', 'return "<!-- --> --->"', '<!-- --> --->'],
  ['quotes in quotes', 'return "\'//\'" + \'"/*"\'', '\'//\'"/*"'],
  ['letters beyond ASCII', 'return "é·😀\u2028\u2029\uFEFF\\é"', 'é·😀\u2028\u2029\uFEFFé'],
  ['half a character', 'return "\uD83D".length', 1],
  ['control characters', 'return "\t\u0000\u007F"', '\t\u0000\u007F'],
  ['a backtick', 'return "`" + \'\\`\'', '``'],
  ['a string over two lines', 'return "/\\\n/\\\r\n*\\\u2028é"', '//*é'],
  ['a zero before a line that goes on', 'return "\\0\\\n1"', '\u00001'],
  ['a key of an object', 'return {"a//b": 1, "ü": 2}["a//b"]', 1],
  ['a name beyond ASCII', 'const größe = {ñ: 7}; return größe.ñ', 7],
  ['slashes in a regular expression', 'return /^[a-z]+:\\/\\//i.test("http://x")', true],
  ['a class with slashes', 'return "a//b/*c".split(/[/][/*]/)', ['a', 'b', 'c']],
  ['a class that ends with a slash', 'return "a/b*c".split(/[*/]/)', ['a', 'b', 'c']],
  ['a range around the slash', 'return "+./0".replace(/[+-/]/g, "x")', 'xxx0'],
  ['a repeated slash', 'return "a///b".split(/\\/*b|\\/+/)', ['a', '']],
  ['a slash after a backslash', 'return /\\\\\\/\\\\/.test("\\\\/\\\\")', true],
  ['a slash in a class of the flag v', 'return "a/b".split(/[\\/]/v)', ['a', 'b']],
  [
    'a character of two halves',
    'return "a😀b".split(/😀/u).concat("😀😀".match(/^😀+$/u)[0])',
    ['a', 'b', '😀😀'],
  ],
  ['halves in a class', 'return "😀é".replace(/[é😀]/g, "x")', 'xxx'],
  ['a group with a name', 'return "ab".match(/(?<größe>a)\\k<größe>?b/).groups.größe', 'a'],
  ['an escape that needs none', 'return /\\é\\·/.test("é·")', true],
  ['divisions', 'const a = 64, b = 4, g = 2; return a/b/g + a / /4/.exec("4")[0] / 2', 16],
  ['lesser than a regular expression', 'const a = 1; return a</script/.test("script")', false],
  ['lesser than not less', 'let b = 3; const r = 1<! --b; return [r, b]', [false, 2]],
  ['down to nothing', 'let x = 3, n = 0; while (x-->0) n++; return n', 3],
  ['comments', 'return 1 /* one */ + /* two\n */ 2 // three', 3],
  ['a comment in place of a space', 'const/**/a=1;return/**/a', 1],
  ['a comment that ends a line', 'let a = 1, b = 2\na = b /*\n*/ ++b\nreturn [a, b]', [2, 3]],
  ['odd spaces', 'return\u00A01\uFEFF+\u20292', 3],
];

describe('plainScript', () => {
  it.each(SAME)('keeps %s', (_what, script, value) => {
    const plain = plainScript(bundled(`result = (() => {${script}\n})()`));
    expectPlain(plain);
    const after = resultOf(`let result; ${plain}; return result`);
    expect(after).toBe(resultOf(script));
    expect(JSON.parse(after)).toEqual(value);
    expect(plainScript(plain)).toBe(plain);
  });

  it.each(['f`a`', 'a=`b`', 'a=/<!--/', 'a=/b//2', 'a=/b/*2', 'a</b/', 'é=1'])(
    'refuses %s',
    (script) => {
      expect(() => plainScript(script)).toThrow('which Google may misread');
    },
  );

  const SIGN = fc.constantFrom(
    ...['/', '*', '//', '/*', '*/', '\\', '<', '!', '-', '<!--', '-->', '>', '[', ']', '</script'],
    ...["'", '"', '`', 'a', '0', ' ', '(?<!', '(?:', ')', '+', '^', '|', 'é', '😀', '\u2028', '\t'],
  );
  const text = fc.array(SIGN, { maxLength: 12 }).map((signs) => signs.join(''));
  /** One literal from end to end; what is none is another test's. */
  const isLiteral = (written: string): boolean => {
    try {
      const { type, end } = parseExpressionAt(written, 0, { ecmaVersion: 'latest' });
      return type === 'Literal' && end === written.length;
    } catch {
      return false;
    }
  };
  const isScript = (script: string): boolean => !resultOf(script).startsWith('SyntaxError');

  it('keeps any string, however it is written', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('"', "'"), (inside, quote) => {
        fc.pre(isLiteral(quote + inside + quote));
        const script = `return ${quote}${inside}${quote}`;
        const plain = plainScript(bundled(`result = (() => {${script}})()`));
        expectPlain(plain);
        expect(resultOf(`let result; ${plain}; return result`)).toBe(resultOf(script));
      }),
      { numRuns: RUNS, seed: 11 },
    );
  });

  it('keeps what any regular expression finds', () => {
    fc.assert(
      fc.property(
        text,
        fc.constantFrom('g', 'gi', 'gu', 'gv', 'gs'),
        text,
        (body, flags, among) => {
          fc.pre(isLiteral(`/${body}/${flags}`));
          const texts = [among, body, body.replaceAll('\\', ''), `/${among}<!---->//`];
          const script = `return ${JSON.stringify(texts)}.map((one) => one.replace(/${body}/${flags}, '#'))`;
          fc.pre(isScript(script));
          const plain = plainOrNone(`result = (() => {${script}\n})()`);
          fc.pre(plain !== null);
          expectPlain(plain ?? '');
          expect(resultOf(`let result; ${plain}; return result`)).toBe(resultOf(script));
        },
      ),
      { numRuns: RUNS, seed: 11 },
    );
  });
});

describe('checkPlain', () => {
  const page = (script: string, style = '', body = '') =>
    `<!doctype html><head><style>${style}</style></head>\n<body>${body}<script>${script}</script></body>`;

  it('takes a page without any of it', () => {
    expect(() => checkPlain(page('a="\\x3C!--";b=a/2', 'p{color:red}'))).not.toThrow();
  });

  it.each([
    [page('a="//"'), 'A page\'s script holds "//", which Google may misread: a="//"'],
    [page('a/*b*/'), 'A page\'s script holds "/*"'],
    [page('a=`b`'), 'A page\'s script holds "`"'],
    [page('a="<!--"'), 'A page\'s script holds "<!--"'],
    [page('a="</p>"'), 'A page\'s script holds "</"'],
    [page('a="é"'), 'A page\'s script holds "é"'],
    [page('a', 'p{background:url("data:image/svg+xml,http://x")}'), 'A page holds "//"'],
    [page('a', '/* b */'), 'A page holds "/*"'],
    [page('a', '', '<a href="https://x.example">x</a>'), 'A page holds "//"'],
    [page('a', '', '·'), 'A page holds "·"'],
  ])('refuses %s', (html, reason) => {
    expect(() => checkPlain(html)).toThrow(reason);
  });
});

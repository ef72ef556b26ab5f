// What Code.js must be before it may be pushed: Google reports syntax it refuses only on the push,
// and a name it lacks only when a user's cell runs into it.
import { type Program, parse } from 'acorn';
import { freeIdentifiers } from './free-identifiers';
import { globalsOf, NAMESPACE } from './globals';

/** Every cell pays for loading the whole file; about 25 µs of compiling per KB (decision 0007). */
const CODE_MAX_BYTES = 250_000;

/** What a build with e-mail may have on top: its owner decided that it is worth so much. */
const MAIL_BYTES = 3_000;

/** What a build with the probes may have on top: one person uses it, for some hours. */
const SELF_TEST_BYTES = 30_000;

/** The newest standard of which nothing is known to be refused; classes of 2022 are. */
const ECMA_VERSION = 2020;

/** The standard library of that year, without what Apps Script gives no meaning (SharedArrayBuffer). */
const STANDARD_NAMES: readonly string[] = [
  ...['Array', 'ArrayBuffer', 'Boolean', 'DataView', 'Date', 'Error', 'EvalError', 'Float64Array'],
  ...['Function', 'Infinity', 'Int32Array', 'JSON', 'Map', 'Math', 'NaN', 'Number', 'Object'],
  ...['Promise', 'Proxy', 'RangeError', 'ReferenceError', 'Reflect', 'RegExp', 'Set', 'String'],
  ...['Symbol', 'SyntaxError', 'TypeError', 'URIError', 'Uint32Array', 'Uint8Array', 'WeakMap'],
  ...['WeakSet', 'decodeURI', 'decodeURIComponent', 'encodeURI', 'encodeURIComponent', 'isFinite'],
  ...['isNaN', 'parseFloat', 'parseInt', 'undefined'],
  // Newer, and present in the V8 that Apps Script has had since 2020.
  'BigInt',
];

/** The services that the manifest's scopes and the add-on's rooms allow, and the log. */
const SERVICE_NAMES: readonly string[] = [
  ...['CacheService', 'Charts', 'HtmlService', 'LockService', 'PropertiesService', 'ScriptApp'],
  ...['Session', 'SpreadsheetApp', 'UrlFetchApp', 'Utilities', 'console'],
];

function parseCode(code: string): Program {
  try {
    return parse(code, { ecmaVersion: ECMA_VERSION, sourceType: 'script', ranges: true });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = 'pos' in error && typeof error.pos === 'number' ? error.pos : 0;
    const place = code.slice(Math.max(0, at - 40), at + 40);
    throw new Error(
      `Code.js has syntax newer than ES${ECMA_VERSION}: ${error.message} at: ${place}`,
    );
  }
}

function topLevelNames(program: Program): readonly string[] {
  return program.body.flatMap((statement) => {
    if (statement.type === 'FunctionDeclaration') return [statement.id.name];
    if (statement.type !== 'VariableDeclaration')
      throw new Error(`Code.js has a ${statement.type} at its top level: declarations only`);
    return statement.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : '{…}'));
  });
}

/**
 * Throws with a plain sentence at the first fault.
 *
 * @param hasMail whether the manifest asks for the permission to send mail.
 * @param isSelfTest whether the build has the probes.
 */
export function checkCode(code: string, hasMail = false, isSelfTest = false): void {
  const program = parseCode(code);
  const { customFunctions, handlers } = globalsOf(isSelfTest);
  const expected = [...customFunctions, ...handlers, NAMESPACE].sort().join(' ');
  const actual = [...topLevelNames(program)].sort().join(' ');
  if (actual !== expected)
    throw new Error(`Code.js declares other names than it should: ${actual}; not: ${expected}`);
  const services = [...SERVICE_NAMES, ...(hasMail ? ['MailApp'] : [])];
  const known = new Set([...STANDARD_NAMES, ...services, ...expected.split(' ')]);
  const absent = [...freeIdentifiers(program)].filter((name) => !known.has(name)).sort();
  if (absent.length > 0)
    throw new Error(`Code.js uses names that Apps Script does not have: ${absent.join(', ')}`);
  const bytes = Buffer.byteLength(code);
  const most = CODE_MAX_BYTES + (hasMail ? MAIL_BYTES : 0) + (isSelfTest ? SELF_TEST_BYTES : 0);
  if (bytes > most)
    throw new Error(`Code.js has ${bytes} bytes; more than ${most} would slow every cell`);
}

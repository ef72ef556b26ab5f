// The adapter within the script: what the peer's tests find in place of their own libraries. It counts
// what each assertion came to.

const peer = (() => {
  const counts = { passed: 0, failed: 0, notApplicable: 0 };
  const failures = [];
  /** The statements under way, the innermost last. */
  const statements = [];
  const stands = new WeakSet();
  /** Why a step of the section that runs, before its assertions, could not be taken. */
  let missedStep = null;
  const total = () => counts.passed + counts.failed + counts.notApplicable;

  class NotHere extends Error {}

  const throwing = (reason) => () => {
    throw new NotHere(reason);
  };

  /** What stands for a value that a failed statement was to give. Any use of it is no assertion. */
  function standFor(reason) {
    const refuse = throwing(reason);
    const traps = ['get', 'set', 'has', 'apply', 'construct', 'ownKeys', 'getPrototypeOf'];
    const stand = new Proxy(() => {}, Object.fromEntries(traps.map((trap) => [trap, refuse])));
    stands.add(stand);
    return stand;
  }

  const isObject = (value) =>
    (typeof value === 'object' && value !== null) || typeof value === 'function';

  const isStand = (value) =>
    isObject(value) && (stands.has(value) || (Array.isArray(value) && value.some(isStand)));

  /** A service, class or member that the host does not have, or another project's spreadsheet. */
  const isNotHere = (thrown) =>
    thrown instanceof NotHere ||
    / is not emulated|No service offers/.test(String(thrown)) ||
    /^ReferenceError: \w+ is not defined/.test(String(thrown));

  const lineNow = () => statements.at(-1)?.line ?? 0;

  function leave(left, reason) {
    counts.notApplicable += left;
    failures.push({ line: lineNow(), reason, left });
  }

  /** What goes wrong after a step that could not be taken follows from that step. */
  function fail(reason) {
    if (missedStep !== null) leave(1, `after ${missedStep}`);
    else {
      counts.failed += 1;
      failures.push({ line: lineNow(), reason });
    }
  }

  function failed(thrown) {
    const { count, start } = statements.at(-1);
    const left = Math.max(0, count - (total() - start));
    const reason = String(thrown.message ?? thrown);
    if (isNotHere(thrown)) leave(left, reason);
    else {
      if (left > 1) leave(left - 1, reason);
      fail(String(thrown));
    }
    if (count === 0) missedStep ??= reason;
    return standFor(reason);
  }

  const isPlain = (value) => [Object.prototype, null].includes(Object.getPrototypeOf(value));

  function equal(one, other) {
    if (Object.is(one, other)) return true;
    if (!isObject(one) || !isObject(other)) return one === other;
    if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
    if (Array.isArray(one) && Array.isArray(other))
      return one.length === other.length && one.every((each, at) => equal(each, other[at]));
    if (Array.isArray(one) || Array.isArray(other) || !isPlain(one) || !isPlain(other))
      return false;
    const names = Object.keys(one);
    return (
      names.length === Object.keys(other).length &&
      names.every((name) => Object.hasOwn(other, name) && equal(one[name], other[name]))
    );
  }

  function shown(value) {
    try {
      return (JSON.stringify(value) ?? String(value)).slice(0, 200);
    } catch {
      return typeof value;
    }
  }

  /** The result is what the peer's library returns, by which later lines find the actual value. */
  function decide(holds, actual, expected, options) {
    const result = { actual, expect: expected, expected };
    if (isStand(actual) || isStand(expected) || options?.skip) {
      counts.notApplicable += 1;
      return result;
    }
    if (holds(actual, expected)) counts.passed += 1;
    else fail(`${shown(actual)} instead of ${shown(expected)}`);
    return result;
  }

  const not =
    (holds) =>
    (...values) =>
      !holds(...values);

  const assertions = {
    is: (actual, expected, options) => decide(equal, actual, expected, options),
    not: (actual, expected, options) => decide(not(equal), actual, expected, options),
    deepEqual: (actual, expected, options) => decide(equal, actual, expected, options),
    notDeepEqual: (actual, expected, options) => decide(not(equal), actual, expected, options),
    true: (actual) => decide(equal, actual, true),
    false: (actual) => decide(equal, actual, false),
    truthy: (actual) => decide(Boolean, actual, 'something'),
    falsey: (actual) => decide(not(Boolean), actual, 'nothing'),
    rxMatch: (actual, expected, options) =>
      decide((text, rx) => rx.test(text), actual, expected, options),
    // What wants an account of the author's is not the host's to have.
    fail: (said) => (/credentials/i.test(said) ? leave(1, String(said)) : fail(String(said))),
    threw(action) {
      try {
        action();
      } catch (thrown) {
        return isNotHere(thrown) ? standFor(String(thrown.message)) : thrown;
      }
      return undefined;
    },
  };

  return {
    tests: [],
    /** The place of the section that runs, among those of its file. */
    wanted: 0,
    met: 0,
    assertions,
    equal,
    failed,
    begin: (line, count) => statements.push({ line, count, start: total() }),
    end: () => statements.pop(),
    report: () => ({ ...counts, failures }),
  };
})();

const unitExports = { CodeLocator: { isGas: true } };

const peerUnit = {
  section(description, action) {
    peer.met += 1;
    if (peer.met - 1 === peer.wanted) action({ ...peer.assertions, options: { description } });
  },
  deepEquals: (one, other) => peer.equal(one, other),
  report() {},
};

const is = (() => {
  const typeOf = (value) => Object.prototype.toString.call(value).slice(8, -1);
  const tests = {
    array: Array.isArray,
    boolean: (value) => typeof value === 'boolean',
    date: (value) => value instanceof Date,
    emptyArray: (value) => Array.isArray(value) && value.length === 0,
    emptyObject: (value) => tests.object(value) && Object.keys(value).length === 0,
    function: (value) => typeof value === 'function',
    integer: Number.isInteger,
    nonEmptyObject: (value) => tests.object(value) && Object.keys(value).length > 0,
    nonEmptyString: (value) => typeof value === 'string' && value !== '',
    null: (value) => value === null,
    nullOrUndefined: (value) => value === null || value === undefined,
    number: (value) => typeof value === 'number' && !Number.isNaN(value),
    object: (value) => (typeof value === 'object' && value !== null) || typeof value === 'function',
    string: (value) => typeof value === 'string',
    undefined: (value) => value === undefined,
  };
  return Object.assign((value) => typeOf(value), tests);
})();

/** The bound spreadsheet stands for the one that the peer makes, and for one of its author's. */
const peerBook = (id = 'own') => {
  if (id === 'own' || id === testFixes.TEST_SHEET_ID) return SpreadsheetApp.getActiveSpreadsheet();
  throw new Error('The spreadsheet of another account is not emulated');
};

/** The bound spreadsheet, emptied, stands for a new one. */
function peerCreate(name, rows = 1000, columns = 26) {
  const book = peerBook();
  const made = book.insertSheet(`new ${book.getSheets().length}`, 0);
  for (const sheet of book.getSheets())
    if (sheet.getSheetId() !== made.getSheetId()) book.deleteSheet(sheet);
  made.setName('Sheet1');
  const fit = (now, wanted, more, fewer) => {
    if (now < wanted) more(now, wanted - now);
    if (now > wanted) fewer(wanted + 1, now - wanted);
  };
  fit(
    made.getMaxRows(),
    rows,
    (at, count) => made.insertRowsAfter(at, count),
    (at, count) => made.deleteRows(at, count),
  );
  fit(
    made.getMaxColumns(),
    columns,
    (at, count) => made.insertColumnsAfter(at, count),
    (at, count) => made.deleteColumns(at, count),
  );
  return new Proxy(book, {
    get: (target, member) => (member === 'getName' ? () => name : target[member]),
  });
}

/** What the author's spreadsheet has, as far as the assertions suppose. */
function prepareBook() {
  const book = peerBook();
  for (const name of ['second', 'third']) book.insertSheet(name);
  for (const sheet of book.getSheets())
    sheet.getRange(1, 1, 3, 3).setValues([
      ['id', 'name', 'count'],
      ['a', 'one', 1],
      ['b', 'two', 2],
    ]);
}

const maketss = (name, _trash, _fixes, { clearContents = true, clearFormats = true } = {}) => {
  const ss = peerBook();
  const before = name ? ss.getSheetByName(name) : null;
  const sheet = before ?? ss.insertSheet(name);
  if (before && (clearContents || clearFormats))
    before.clear({ contentsOnly: !clearFormats, formatsOnly: !clearContents });
  return { ss, sheet, sheets: ss.getSheets(), folder: null };
};

Object.assign(globalThis, {
  unitExports,
  is,
  maketss,
  peerCreate,
  trasher: () => {},
  wrapupTest: () => {},
});

Object.assign(testFixes, {
  TEST_SHEET_ID: peerBook().getId(),
  TEST_SHEET_NAME: peerBook().getName(),
  EMAIL: Session.getEffectiveUser().getEmail(),
});

Object.assign(globalThis, {
  prepareBook,
  playSection(wanted) {
    peer.wanted = wanted;
    peer.met = 0;
    for (const test of peer.tests) test({ unit: peerUnit, fixes: testFixes });
    return JSON.stringify(peer.report());
  },
});

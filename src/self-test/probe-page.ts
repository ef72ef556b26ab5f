// The probes' door in a page: the report's dialog calls the server, and holds the lock while a cell tries.

import { appsScriptPlatform } from '../platform/apps-script/platform';
import { holdLock, putFormula, putTexts } from '../platform/apps-script/probes';
import { reportPage } from '../sidebar/report-page';
import { probeReport } from './probe-report';
import { probes } from './probe-table';

/** A middle dot, an apostrophe, a dash and an ellipsis: the page has them only as escapes. */
const TEXT_ESCAPES = '\\u00b7 \\u2019 \\u2013 \\u2026';
const TEXT_CODES = 'b7 2019 2013 2026';

const FOUND_CHARS_MAX = 300;

interface Reply {
  readonly report?: string;
  readonly text?: string;
  readonly codes?: string;
}

/**
 * Answers the page of the probes.
 *
 * @param step `echo` sends a text back, `found` notes what the page found, `hold` holds the lock.
 */
export function probePage(step: unknown, payload: unknown): Reply {
  switch (step) {
    case 'echo': {
      const text = String(payload);
      const codes = text.split(' ').map((one) => one.charCodeAt(0).toString(16));
      return { text, codes: codes.join(' ') };
    }
    case 'found':
      putTexts(foundByPage(payload), 'found');
      return { report: probeReport() };
    case 'hold': {
      const held = holdLock(() => {
        const { clock } = appsScriptPlatform();
        putFormula('lock', `=PROBE("lock",${clock.nowMs()})`);
      });
      putTexts({ lock: held === null ? 'somebody else held it' : held.join(' ') }, 'input');
      return { report: probeReport() };
    }
    default:
      return {};
  }
}

/** A text for each probe of the page, and nothing else. */
function foundByPage(payload: unknown): Readonly<Record<string, string>> {
  const given = payload instanceof Object ? payload : {};
  const texts = probes()
    .filter(({ id, where }) => where === 'page' && id in given)
    .map(({ id }) => [id, String(Reflect.get(given, id)).slice(0, FOUND_CHARS_MAX)]);
  return Object.fromEntries(texts);
}

/** A script of its own on lines of its own: where Google cuts it, the rest of the page still runs. */
const CUT_SCRIPT = "<script>\nwindow.probeSlashes = 'a//b';\n</script>";

/**
 * Plain and old on purpose: HtmlService cuts inline scripts from two slashes on, and the page must
 * also start where it does more than that.
 */
const SCRIPT = `(function () {
  var area = document.getElementById('report');
  var said = document.getElementById('said');
  var text = '${TEXT_ESCAPES}';
  var times = [];
  function failed(error) {
    said.textContent = 'A probe of the page failed: ' + (error && error.message);
  }
  function ask(step, payload, done) {
    google.script.run.withSuccessHandler(done).withFailureHandler(failed).probePage(step, payload);
  }
  function show(reply) {
    area.value = reply.report;
  }
  function hold() {
    said.textContent = 'Holding the lock while a cell tries to get it. About 20 s.';
    ask('hold', null, function (reply) {
      show(reply);
      said.textContent = 'The probes of the page are through.';
    });
  }
  function tell(back) {
    var isWhole = back.text === text && back.codes === '${TEXT_CODES}';
    var found = {
      texts: isWhole ? 'unbroken' : 'the server read ' + back.codes + ', the page ' + back.text,
      'round trips': times.join(', ') + ' ms',
      slashes: window.probeSlashes === 'a/' + '/b' ? 'kept' : 'cut'
    };
    ask('found', found, function (reply) {
      show(reply);
      hold();
    });
  }
  function echo() {
    var startMs = Date.now();
    ask('echo', text, function (back) {
      times.push(Date.now() - startMs);
      if (times.length < 5) echo();
      else tell(back);
    });
  }
  echo();
})();`;

/** The support report's page, with the probes of the page in it. */
export function probeDialog(report: string): string {
  const scripts = `${CUT_SCRIPT}\n<script>\n${SCRIPT}\n</script>\n</body>`;
  return reportPage(report, null).replace('</body>', () => scripts);
}

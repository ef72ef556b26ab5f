// HtmlService as the host emulates it: the project's pages, simple templates, and scripts as they arrive.

import { describe, expect, it } from '@jest/globals';
import { servedPage } from '../../src/services/html';
import { manifestWith, outcomeOf, resultOf } from '../script-host';
import { documentOf, gridOf } from './spreadsheet-app/grid-script';

it('a page takes foreign text as text, tells its meta tags, and is a blob and a template', async () => {
  const code = `function f() {
    const page = HtmlService.createHtmlOutput('<h1><?= word ?></h1>').addMetaTag('viewport', 'wide');
    const template = page.appendUntrusted('<b>&').asTemplate();
    template.word = 'Hi';
    page.append('.');
    const [tag] = page.getMetaTags();
    return [template.evaluate().getContent(), tag.getName(), tag.getContent(),
      page.getBlob().getContentType(), page.getAs('text/plain').getDataAsString().length,
      HtmlService.getUserAgent()];
  }`;
  expect(await resultOf(code)).toEqual([
    ...['<h1>Hi</h1>&lt;b&gt;&amp;.', 'viewport', 'wide', 'text/html', 35, null],
  ]);
  const within = "function f() { HtmlService.createHtmlOutput('<a href=').appendUntrusted('x'); }";
  expect((await outcomeOf(within)).error?.message).toMatch(/within a tag.* not emulated/);
});

const SCREEN_SCOPE = ['https://www.googleapis.com/auth/script.container.ui'];

function projectWith(
  code: string,
  html: Record<string, string>,
  oauthScopes: readonly string[] = [],
) {
  return { dist: { code, html, manifest: manifestWith(oauthScopes) } };
}

describe('a page', () => {
  it('comes from a file of the project, with or without its ending', async () => {
    const code = `function f() {
      return ['Sidebar', 'Sidebar.html'].map((name) =>
        HtmlService.createHtmlOutputFromFile(name).setTitle('Title').getContent());
    }`;
    const project = projectWith(code, { Sidebar: '<p>Hello</p>' });
    expect(await resultOf(code, {}, project)).toEqual(['<p>Hello</p>', '<p>Hello</p>']);
  });

  it('that does not exist is said by name', async () => {
    const code = "function f() { HtmlService.createHtmlOutputFromFile('Nope'); }";
    expect((await outcomeOf(code)).error?.message).toBe('No HTML file named Nope was found.');
  });
});

describe('the page around a page', () => {
  it('is told its frame, its icon and its tags, and the page stays as it is', async () => {
    const code = `function f() {
      const page = HtmlService.createHtmlOutput('<p>Hello</p>')
        .setXFrameOptionsMode(HtmlService.XFrameOptionsMode.ALLOWALL)
        .setSandboxMode(HtmlService.SandboxMode.IFRAME)
        .addMetaTag('viewport', 'width=device-width')
        .setFaviconUrl('https://shop.example/icon.png');
      return [page.getContent(), page.getFaviconUrl()];
    }`;
    expect(await resultOf(code)).toEqual(['<p>Hello</p>', 'https://shop.example/icon.png']);
  });
});

describe('a template', () => {
  it('prints values, escaped unless asked otherwise, and runs its code', async () => {
    const code = `function f() {
      const template = HtmlService.createTemplateFromFile('Page');
      template.names = ['a', '<b>'];
      return template.evaluate().getContent();
    }`;
    const page = '<? for (const name of names) { ?><i><?= name ?>|<?!= name ?></i><? } ?>';
    const spare = page
      .replace('<?!= name ?>', '<?!= name ; ?>')
      .replace('<?= name ?>', '<?= name; ?>');
    for (const each of [page, spare])
      expect(await resultOf(code, {}, projectWith(code, { Page: each }))).toBe(
        '<i>a|a</i><i>&lt;b&gt;|<b></i>',
      );
  });
});

describe('the inline scripts of a page that is shown', () => {
  /** What a browser would get of a script, by each of the two models. */
  const served = (script: string) =>
    (['outside-strings', 'everywhere'] as const).map((cut) =>
      servedPage(`<script>${script}</script>`, cut).slice(8, -9),
    );

  // enuchi/React-Google-Apps-Script, issue 157: "everything after the // will be removed".
  it('lose what follows two slashes in a template literal, up to the end of the line', () => {
    const cut = 'document.write(`\n';
    expect(served('document.write(`// sometimes`);\n')).toEqual([cut, cut]);
    const url = 'a = `https:\nb()';
    expect(served('a = `https://x.example`; more()\nb()')).toEqual([url, url]);
  });

  // The same issue, in its example: both signs in template literals, a statement apart.
  it('lose what stands between the signs of a comment, also in template literals', () => {
    const script =
      'document.write(`Apps Script is /*`);\ndocument.write(`fun and never*/ broken`);';
    const cut = 'document.write(`Apps Script is  broken`);';
    expect(served(script)).toEqual([cut, cut]);
    expect(served('a(`/*`);\nb()')).toEqual(['a(`', 'a(`']);
  });

  // tanaikech/A2UI-for-Google-Apps-Script, issue 2, where "https:\/\/" was the way out; other people's
  // plain strings arrive, hence two models.
  it.each(['"', "'"])('keep or lose two slashes in a string between %s', (quote) => {
    const script = `image.src = ${quote}https://x.example/a${quote};\nb()`;
    expect(served(script)).toEqual([script, `image.src = ${quote}https:\nb()`]);
    const escaped = `image.src = ${quote}https:\\/\\/x.example/a${quote};`;
    expect(served(escaped)).toEqual([escaped, escaped]);
  });

  it('lose their comments, which is all that Google means to take', () => {
    expect(served('a(); // one\nb(/* two\nthree */);')).toEqual(['a(); \nb();', 'a(); \nb();']);
  });

  // No report tells of these: the models go on as they began.
  it('are misread from a quote on that stands in a template or in a regular expression', () => {
    expect(served('a = `don\'t`; b = "//";')[0]).toBe('a = `don\'t`; b = "//";');
    expect(served('a = /"/; b = "//c";\nd()')[0]).toBe('a = /"/; b = "\nd()');
    expect(served('a = "\\"//"; b()')[0]).toBe('a = "\\"//"; b()');
    expect(served('a = b/ /c\\//')[0]).toBe('a = b/ /c\\');
  });

  it('are all that is touched: no markup, no style and no script from elsewhere', () => {
    const page =
      '<a href="https://x.example">//</a><style>p { } /* a */</style>' +
      '<script src="https://x.example/a.js"></script><textarea>// a</textarea>';
    expect(servedPage(page)).toBe(page);
    expect(servedPage('<SCRIPT type="module">a//b</SCRIPT ><p>//</p><script>//c</script>')).toBe(
      '<SCRIPT type="module">a</SCRIPT ><p>//</p><script></script>',
    );
  });

  const WAYS = [
    ['HtmlService.createHtmlOutput(\'<script>a("//")</script>\')'],
    ["HtmlService.createHtmlOutput('').append('<script>a(\"//\")').append('</script>')"],
    ["HtmlService.createHtmlOutputFromFile('Page')"],
    ["HtmlService.createTemplateFromFile('Page').evaluate()"],
    ['HtmlService.createTemplate(\'<script>a("<?!= "//" ?>")</script>\').evaluate()'],
  ];
  describe.each(WAYS)('made with %s', (made) => {
    it.each([
      [undefined, '<script>a("</script>'],
      ['everywhere', '<script>a("</script>'],
      ['outside-strings', '<script>a("//")</script>'],
    ] as const)('are cut in a sidebar and in a dialog (%s)', async (scriptCut, expected) => {
      const code = `function f() {
        const [page, ui] = [${made}, SpreadsheetApp.getUi()];
        ui.showSidebar(page);
        ui.showModalDialog(page, 'Dialog');
      }`;
      const shown: string[] = [];
      const onPage = (html: string) => shown.push(html);
      const { dist } = projectWith(code, { Page: '<script>a("//")</script>' }, SCREEN_SCOPE);
      await resultOf(
        code,
        {},
        {
          dist,
          documents: [documentOf(gridOf())],
          screen: { onSidebar: onPage, onDialog: onPage },
          ...(scriptCut && { scriptCut }),
        },
      );
      expect(shown).toEqual([expected, expected]);
    });
  });
});

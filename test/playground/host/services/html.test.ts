// HtmlService as the host emulates it: the project's pages and simple templates.

import { describe, expect, it } from '@jest/globals';
import { manifestWith, outcomeOf, resultOf } from '../script-host';

function projectWith(code: string, html: Record<string, string>) {
  return { dist: { code, html, manifest: manifestWith([]) } };
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

describe('a template', () => {
  it('prints values, escaped unless asked otherwise, and runs its code', async () => {
    const code = `function f() {
      const template = HtmlService.createTemplateFromFile('Page');
      template.names = ['a', '<b>'];
      return template.evaluate().getContent();
    }`;
    const page = '<? for (const name of names) { ?><i><?= name ?>|<?!= name ?></i><? } ?>';
    expect(await resultOf(code, {}, projectWith(code, { Page: page }))).toBe(
      '<i>a|a</i><i>&lt;b&gt;|<b></i>',
    );
  });
});

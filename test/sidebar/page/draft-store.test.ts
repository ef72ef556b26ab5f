// What is typed outlives the sidebar where the browser allows it, and nothing breaks where not.
import { describe, expect, it } from '@jest/globals';
import { type ConnectionForm, EMPTY_FORM } from '../../../src/sidebar/page/connection/form';
import { createDraftStore, type TextStore } from '../../../src/sidebar/page/draft-store';

function textStore(texts = new Map<string, string>()): TextStore {
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

const FORM: ConnectionForm = {
  baseUrl: 'https://api.example.com',
  calls: '12',
  perSeconds: 3600,
  findOut: true,
  sharing: 'spreadsheet',
  defaultMarket: 'UK',
  ukMarket: 'GB',
  roiUnit: 'percent',
  buyPriceName: 'cost',
  sellPriceName: ' price',
};

describe('the draft store', () => {
  it('gives back what was written, until it is forgotten', () => {
    const store = textStore();
    const drafts = createDraftStore(() => store);
    expect(drafts.read()).toBeNull();
    drafts.write(FORM);
    expect(createDraftStore(() => store).read()).toEqual(FORM);
    drafts.forget();
    expect(drafts.read()).toBeNull();
  });

  it('keeps nothing, and does not fail, in a frame that may not store', () => {
    const drafts = createDraftStore(() => {
      throw new Error('SecurityError: the document is sandboxed');
    });
    drafts.write(FORM);
    drafts.forget();
    expect(drafts.read()).toBeNull();
  });

  it.each([
    ...['', 'not JSON', 'null', '7', '[]', '{"calls":7,"perSeconds":"x","sharing":"all"}'],
    '{"defaultMarket":"FR","ukMarket":7,"roiUnit":"per mille","buyPriceName":null}',
  ])('reads %j as an empty form or none', (text) => {
    const store = { ...textStore(), getItem: () => text };
    const kept = createDraftStore(() => store).read();
    expect(kept ?? EMPTY_FORM).toEqual(EMPTY_FORM);
  });
});

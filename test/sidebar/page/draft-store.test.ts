// What is typed outlives the sidebar where the browser allows it, and nothing breaks where not.
import { describe, expect, it } from '@jest/globals';
import { createDraftStore, type TextStore } from '../../../src/sidebar/page/ui/page';

function textStore(texts = new Map<string, string>()): TextStore {
  return {
    getItem: (name) => texts.get(name) ?? null,
    setItem: (name, text) => void texts.set(name, text),
    removeItem: (name) => void texts.delete(name),
  };
}

const DRAFT = { address: 'https://api.example.com', calls: 12, isTicked: true };

describe('the draft store', () => {
  it('gives back what was written under a name, until it is forgotten', () => {
    const store = textStore();
    const drafts = createDraftStore(() => store);
    expect(drafts.read('one')).toBeNull();
    drafts.write('one', DRAFT);
    drafts.write('other', 7);
    expect(createDraftStore(() => store).read('one')).toEqual(DRAFT);
    drafts.forget('one');
    expect(drafts.read('one')).toBeNull();
    expect(drafts.read('other')).toBe(7);
  });

  it('keeps nothing, and does not fail, in a frame that may not store', () => {
    const drafts = createDraftStore(() => {
      throw new Error('SecurityError: the document is sandboxed');
    });
    drafts.write('one', DRAFT);
    drafts.forget('one');
    expect(drafts.read('one')).toBeNull();
  });

  it('reads what is no JSON as nothing', () => {
    const store = { ...textStore(), getItem: () => 'not JSON' };
    expect(createDraftStore(() => store).read('one')).toBeNull();
  });
});

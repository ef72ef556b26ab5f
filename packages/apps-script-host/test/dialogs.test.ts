// What a person answers to a script's questions, as a test says it.

import { expect, it } from '@jest/globals';
import { createHost, type ProjectHostOptions } from '../src/project-host';

const files = {
  'Code.gs': `
    function clear() {
      const ui = SpreadsheetApp.getUi();
      const reply = ui.alert('Clear', 'Delete all rows?', ui.ButtonSet.YES_NO);
      return reply === ui.Button.YES ? 'cleared' : reply === ui.Button.NO ? 'kept' : String(reply);
    }
    function greet() {
      const reply = SpreadsheetApp.getUi().prompt('Your name?', SpreadsheetApp.getUi().ButtonSet.OK_CANCEL);
      return [String(reply.getSelectedButton()), reply.getResponseText()];
    }
    function older() {
      return [Browser.msgBox('Go on?', Browser.Buttons.YES_NO_CANCEL),
        Browser.msgBox('Title', 'Go on?', Browser.Buttons.OK_CANCEL), Browser.inputBox('Name?')];
    }
    function tell() { return [String(SpreadsheetApp.getUi().alert('Done.')), Browser.msgBox('Done.')]; }
    function dare() { try { return clear(); } catch (error) { return 'caught'; } }`,
};

const run = async (name: string, answers?: ProjectHostOptions['answers']) => {
  const host = createHost({ files, ...(answers !== undefined && { answers }) });
  const { value, error } = await host.run(name);
  return { value, said: error?.message, host };
};

it('is the next of the answers, and is in the list of dialogs', async () => {
  expect((await run('clear', ['YES'])).value).toBe('cleared');
  const { value, host } = await run('clear', ['NO']);
  expect(value).toBe('kept');
  expect(host.dialogs()).toEqual([
    {
      ...{ kind: 'choice', title: 'Clear', message: 'Delete all rows?', buttons: 'YES_NO' },
      ...{ button: 'NO', text: '' },
    },
  ]);
  expect((await run('clear', ['CLOSE'])).value).toBe('CLOSE');
  expect((await run('greet', ['Ann'])).value).toEqual(['OK', 'Ann']);
  expect((await run('greet', [{ button: 'CANCEL' }])).value).toEqual(['CANCEL', '']);
});

it('may be a function, which is asked each time', async () => {
  const { value } = await run('clear', ({ message }) => (message.includes('rows') ? 'NO' : 'YES'));
  expect(value).toBe('kept');
});

it('has the texts of the older way to ask', async () => {
  const answers = ['NO', { button: 'CLOSE' as const }, 'Ann'];
  expect((await run('older', answers)).value).toEqual(['no', 'cancel', 'Ann']);
});

it('is an error where there is none, which a script cannot catch', async () => {
  const said =
    'Nobody answers the dialog "Delete all rows?" (YES, NO). Say what a person does: ' +
    "createHost({ answers: ['YES'] }).";
  expect((await run('clear')).said).toBe(said);
  expect((await run('dare')).said).toBe(said);
  expect((await run('greet')).said).toMatch(/"Your name\?" .*answers: \['what is typed'\]/);
});

it('is an error where the dialog has no such button', async () => {
  expect((await run('clear', ['OK'])).said).toBe(
    'The dialog "Delete all rows?" has the buttons YES, NO, and OK is none of them.',
  );
});

it('is not needed where OK is all there is', async () => {
  expect((await run('tell')).value).toEqual(['OK', 'ok']);
});

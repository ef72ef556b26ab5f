// What a script asks the person at the keyboard, and who answers in a test.

export type Button = 'CANCEL' | 'CLOSE' | 'NO' | 'OK' | 'YES';

export const BUTTON_SETS = ['OK', 'OK_CANCEL', 'YES_NO', 'YES_NO_CANCEL'] as const;

export type ButtonSet = (typeof BUTTON_SETS)[number];

/** The buttons of each set, from the one that a person presses to agree. */
const BUTTONS: Readonly<Record<ButtonSet, readonly [Button, ...Button[]]>> = {
  OK: ['OK'],
  OK_CANCEL: ['OK', 'CANCEL'],
  YES_NO: ['YES', 'NO'],
  YES_NO_CANCEL: ['YES', 'NO', 'CANCEL'],
};

/** A question: which button, or for a prompt which text. */
export interface Dialog {
  readonly kind: 'choice' | 'prompt';
  readonly message: string;
  readonly title: string;
  readonly buttons: ButtonSet;
}

export interface DialogReply {
  readonly button: Button;
  readonly text: string;
}

/**
 * The name of a button, such as 'YES', or for a prompt the text that is typed before its first button
 * is pressed. 'CLOSE' as a button closes any dialog by the cross in its corner.
 */
export type Answer = string | { readonly button: Button; readonly text?: string };

/** One answer after the other, or a function that is asked each time. undefined: nobody answers. */
export type Answers = readonly Answer[] | ((dialog: Dialog) => Answer | undefined);

/** What a test forgot to say. A script cannot catch it, and it is told without a stack. */
export class TestMistake extends Error {
  override readonly name = 'TestMistake';
}

/** The person at the keyboard, as a test describes them. */
export function answering(answers: Answers): (dialog: Dialog) => DialogReply {
  const queue = typeof answers === 'function' ? [] : [...answers];
  return (dialog) => {
    const answer = typeof answers === 'function' ? answers(dialog) : queue.shift();
    if (answer === undefined) throw new TestMistake(unanswered(dialog));
    const [agree] = BUTTONS[dialog.buttons];
    const isTyped = typeof answer === 'string' && dialog.kind === 'prompt';
    if (isTyped) return { button: agree, text: answer };
    const { button, text = '' } = typeof answer === 'string' ? { button: answer } : answer;
    const found = [...BUTTONS[dialog.buttons], 'CLOSE' as const].find((each) => each === button);
    if (found !== undefined) return { button: found, text };
    throw new TestMistake(
      `The dialog "${dialog.message}" has the buttons ${buttonsOf(dialog)}, and ${button} is none of them.`,
    );
  };
}

const buttonsOf = ({ buttons }: Dialog): string => BUTTONS[buttons].join(', ');

function unanswered(dialog: Dialog): string {
  const [first] = BUTTONS[dialog.buttons];
  const example = dialog.kind === 'prompt' ? 'what is typed' : first;
  return (
    `Nobody answers the dialog "${dialog.message}" (${buttonsOf(dialog)}). ` +
    `Say what a person does: createHost({ answers: ['${example}'] }).`
  );
}

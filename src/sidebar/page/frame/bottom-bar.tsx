// The bar that is always in view: the one primary button of a page, and beside it a quiet second.
import { QUESTION_ID } from './message';
import type { BarButton, Buttons } from './page';

interface ButtonProps {
  readonly button: BarButton;
  readonly look: 'primary' | 'quiet';
  readonly isAsked: boolean;
}

function Button({ button, look, isAsked }: ButtonProps) {
  const isBusy = button.isBusy === true;
  return (
    <button
      class={`button ${look}${button.isDangerous === true ? ' dangerous' : ''}`}
      id={button.id}
      type={button.form === undefined || isBusy ? 'button' : 'submit'}
      form={button.form}
      aria-disabled={isBusy}
      aria-describedby={isAsked ? QUESTION_ID : undefined}
      onClick={isBusy ? undefined : button.press}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {button.label}
    </button>
  );
}

interface BottomBarProps {
  readonly buttons: Buttons;
  /** A question stands above the buttons: they are its answers. */
  readonly isAsked: boolean;
}

export function BottomBar({ buttons, isAsked }: BottomBarProps) {
  const { primary, second } = buttons;
  return (
    <div class="bar">
      <Button key="primary" look="primary" button={primary} isAsked={isAsked} />
      {second !== undefined && (
        <Button key={second.id} look="quiet" button={second} isAsked={isAsked} />
      )}
    </div>
  );
}

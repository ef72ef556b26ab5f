// The bar that is always in view: the one primary button of a page, and beside it a quiet second.

export interface BarButton {
  readonly label: string;
  readonly id?: string;
  /** Sends the form of this id; else `press` is called. */
  readonly form?: string;
  readonly press?: () => void;
  /** Work goes on: the button keeps the focus and its place, but does nothing. */
  readonly isBusy?: boolean;
  readonly isDangerous?: boolean;
  readonly describedBy?: string;
}

interface ButtonProps {
  readonly button: BarButton;
  readonly look: 'primary' | 'quiet';
}

function Button({ button, look }: ButtonProps) {
  const isBusy = button.isBusy === true;
  return (
    <button
      class={`button ${look}${button.isDangerous === true ? ' dangerous' : ''}`}
      id={button.id}
      type={button.form === undefined || isBusy ? 'button' : 'submit'}
      form={button.form}
      aria-disabled={isBusy}
      aria-describedby={button.describedBy}
      onClick={isBusy ? undefined : button.press}
    >
      {isBusy && <span class="spinner" aria-hidden="true" />}
      {button.label}
    </button>
  );
}

interface BottomBarProps {
  readonly primary: BarButton;
  readonly second?: BarButton | undefined;
}

export function BottomBar({ primary, second }: BottomBarProps) {
  return (
    <div class="bar">
      <Button key="primary" look="primary" button={primary} />
      {second !== undefined && <Button key={second.id} look="quiet" button={second} />}
    </div>
  );
}

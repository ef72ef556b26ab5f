// The messages between the sidebar's frame and the page around it.

export interface FrameCall {
  readonly kind: 'run';
  readonly call: number;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

export type FromFrame = FrameCall | { readonly kind: 'close' } | { readonly kind: 'focus' };

export type FrameReply =
  | { readonly kind: 'returned'; readonly call: number; readonly value: unknown }
  | { readonly kind: 'threw'; readonly call: number; readonly message: string };

export type ToFrame = FrameReply | { readonly kind: 'clock'; readonly daysAhead: number };

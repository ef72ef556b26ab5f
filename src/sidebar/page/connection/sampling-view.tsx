// Trying samples without a key: what is so now, and how it ends.

interface SamplingViewProps {
  readonly isBusy: boolean;
  stop(): void;
}

export function SamplingView({ isBusy, stop }: SamplingViewProps) {
  return (
    <>
      <h1 id="connection-title" tabIndex={-1}>
        Trying samples
      </h1>
      <p class="lead">
        Formulas in this spreadsheet answer for a dozen invented products, marked as samples.
      </p>
      <ul class="facts">
        <li>No key needed, no calls made.</li>
        <li>Other products stay without an answer.</li>
        <li>Samples stop when you connect a key.</li>
      </ul>
      <p class="links">
        <button class="link" type="button" disabled={isBusy} onClick={stop}>
          Stop samples
        </button>
      </p>
    </>
  );
}

// The ways to build the add-on.

export interface Variant {
  /** Lets `http://127.0.0.1` and `http://localhost` be base URLs: for the playground alone. */
  readonly loopback: boolean;
  /** Lets a schedule tell by e-mail what it marked; asks people for two more permissions. */
  readonly emailDigest?: boolean;
  /** Adds the probes: for whoever finds out on an account what Google does (docs/verify.md). */
  readonly selfTest?: boolean;
}

export function nameOf({ loopback, emailDigest = false, selfTest = false }: Variant): string {
  const parts = [loopback && 'loopback', emailDigest && 'mail', selfTest && 'self-test'];
  return parts.filter(Boolean).join('-') || 'usual';
}

// Constants that the build writes into the bundle.

/** Whether `http://127.0.0.1:PORT` may be a base URL; true only in the playground's build. */
declare const __LOOPBACK_ALLOWED__: boolean;

/** The version in package.json. */
declare const __VERSION__: string;

/**
 * Whether schedules send an e-mail about marked rows; false unless the person who deploys asks for
 * it.
 */
declare const __EMAIL_DIGEST__: boolean;

/**
 * Paragraphs of docs/troubleshooting.md for the sidebar, by kind or by "kind why"; only the page's
 * script contains them.
 */
declare const __HELP__: Readonly<Record<string, readonly string[]>>;

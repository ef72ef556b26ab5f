// Constants that the build writes into the bundle.

/** Whether `http://127.0.0.1:PORT` may be a base URL; true only in the playground's build. */
declare const __LOOPBACK_ALLOWED__: boolean;

/** The version in package.json. */
declare const __VERSION__: string;

/**
 * Paragraphs of docs/troubleshooting.md for the sidebar, by kind or by "kind why"; only the page's
 * script contains them.
 */
declare const __HELP__: Readonly<Record<string, string>>;

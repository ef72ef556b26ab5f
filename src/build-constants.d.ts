// Constants that the build writes into the bundle.

/** Whether `http://127.0.0.1:PORT` may be a base URL: true in the playground's build alone. */
declare const __LOOPBACK_ALLOWED__: boolean;

/** The version in package.json. */
declare const __VERSION__: string;

/** Whether this build has the probes of what Google does: the self-test's alone. */
declare const __SELF_TEST__: boolean;

/** Whether schedules tell by e-mail what they marked: false unless who deploys asks for it. */
declare const __EMAIL_DIGEST__: boolean;

/** Paragraphs of docs/troubleshooting.md for the sidebar, by kind or by "kind why": the page's script alone. */
declare const __HELP__: Readonly<Record<string, readonly string[]>>;

// Makes the page's script smaller than the bundler does: what is used once is written where it is used.
import { minifySync } from '@swc/core';

/** `ecma: 5` stands for: no template literals, which Google may misread (decision 11). */
const COMPRESS = { ecma: 5, passes: 3 } as const;

/** The same program in ASCII, without comments and template literals. */
export const smallerScript = (script: string): string =>
  minifySync(script, {
    compress: COMPRESS,
    mangle: true,
    format: { asciiOnly: true, comments: false },
  }).code;

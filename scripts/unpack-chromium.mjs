// Unpacks the Chromium that came with npm into $TMPDIR; a process of its own, because the package
// decides by its environment at import, and changes the environment of whoever imports it.
import chromium from '@sparticuz/chromium';

await chromium.executablePath();

// Stands in for `globalThis` in Code.js: zod hangs its configuration there on load, and a script of
// Sheets may add no global but the listed ones.
export const privateGlobal = {};

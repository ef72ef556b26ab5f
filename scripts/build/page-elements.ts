// What the elements of the page are made by: esbuild writes `h(type, props, ...children)` for each.
export { Fragment, h } from 'preact';

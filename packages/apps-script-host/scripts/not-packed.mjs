// npm pack of this folder: it has the source, in TypeScript, which a project elsewhere could not load.
console.error(
  'Not packed: this folder has the source. In the project run "npm run build -w apps-script-host", then "npm pack ./.cache/apps-script-host".',
);
process.exitCode = 1;

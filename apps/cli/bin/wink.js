#!/usr/bin/env node
// Ends the process with an error before anything is loaded: without these conditions, no module of
// wink can be loaded, not even the error reporting.
function refuse(message, hint, exitCode) {
  if (process.argv.includes("--json"))
    process.stdout.write(`${JSON.stringify({ error: { message, hint, exitCode } })}\n`);
  process.stderr.write(`wink: ${message}\n${hint}\n`);
  process.exit(exitCode);
}

const { node: version } = process.versions;
const [major, minor] = version.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19))
  refuse(`Node ${version} is too old.`, "Install Node 20.19 or newer.", 4);

try {
  process.cwd();
} catch {
  refuse("The working directory was deleted.", "Change to an existing directory.", 1);
}

// A clone starts with this condition and tsx, and is not built.
const isClone = process.execArgv.includes("--conditions=@wink/source");
await import(isClone ? "../src/main.ts" : "../dist/main.js");

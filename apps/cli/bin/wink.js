#!/usr/bin/env node
// If the working directory was deleted, no module can be loaded, not even the error reporting.
try {
  process.cwd();
} catch {
  const message = "The working directory was deleted.";
  const hint = "Change to an existing directory.";
  if (process.argv.includes("--json"))
    process.stdout.write(`${JSON.stringify({ error: { message, hint, exitCode: 1 } })}\n`);
  process.stderr.write(`wink: ${message}\n${hint}\n`);
  process.exit(1);
}

// Agents are written in TypeScript. With tsx registered, `wink run agent.ts` needs no build.
const { register } = await import("tsx/esm/api");
register();
await import("../dist/main.js");

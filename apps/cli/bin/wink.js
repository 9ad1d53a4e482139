#!/usr/bin/env node
// Nothing can be loaded, not even what reports errors, where the working directory is gone.
try {
  process.cwd();
} catch {
  const message = "The directory that this was started in is gone.";
  const hint = "Go to one that is there.";
  if (process.argv.includes("--json"))
    process.stdout.write(`${JSON.stringify({ error: { message, hint, exitCode: 1 } })}\n`);
  process.stderr.write(`wink: ${message}\n${hint}\n`);
  process.exit(1);
}

// Agents are written in TypeScript: with tsx registered, `wink run agent.ts` needs no build.
const { register } = await import("tsx/esm/api");
register();
await import("../dist/main.js");

import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "../commands/program.js";
import { CLONE } from "./clone.js";
import { installedName, showCommands } from "./command-name.js";
import { memoryIo } from "./memory-io.test.support.js";

const clone = CLONE ?? "";
const pnpm = { npm_config_user_agent: "pnpm/12.4.2 npm/? node/v20.20.2 linux x64" };

it.each([
  { cwd: clone, env: pnpm, command: "npx -y pnpm@12.4.2 wink apply" },
  { cwd: join(clone, "my-agent"), env: pnpm, command: "npx -y pnpm@12.4.2 --dir .. wink apply" },
  { cwd: clone, env: {}, command: "wink apply" },
])("showCommands prints '$command' (CL-47)", ({ cwd, env, command }) => {
  const io = memoryIo({ cwd, env });
  expect(showCommands(io, "See `wink apply`.", { directory: cwd })).toBe(`See ${command}.`);
});

it.each([
  ["/home/me/shop", "wink diff"],
  ["/home/me/other", "wink diff -w ../other"],
  ["/home/me/shop/a b's", "wink diff -w 'a b'\\''s'"],
])("showCommands adds the option for the workspace of %s (CL-47)", (directory, shown) => {
  expect(showCommands(memoryIo({ cwd: "/home/me/shop" }), "`wink diff`", { directory })).toBe(
    shown,
  );
});

it.each([
  ["file:///home/me/shop/node_modules/@wink/cli/dist/terminal/command-name.js", "npx wink"],
  ["file:///home/me/.npm/_npx/1f2e/node_modules/@wink/cli/dist/main.js", "npx @wink/cli"],
])("installedName of %s is '%s' (CL-47)", (location, command) => {
  expect(installedName(location)).toBe(command);
});

it("an error in a clone has a hint that works there (CL-2, CL-47)", async () => {
  const io = memoryIo({ cwd: clone, env: pnpm });
  await runProgram(io, ["run", "none.ts"]);
  expect(io.err()).toBe(
    "wink: File none.ts does not exist.\nnpx -y pnpm@12.4.2 wink init makes an agent to start from.\n",
  );
});

// The first steps of a code reviewer in a workspace, without a model: list, read, search, take
// notes, try forbidden operations, undo a disaster. Every step checks its result.
import assert from "node:assert/strict";
import { InMemoryFilesystem, isFilesystemError } from "@wink/filesystem";

const fs = new InMemoryFilesystem({
  files: {
    "README.md": "# Shop\n\nSells apples.\n",
    "src/cart.ts": "export const cart = [];\n// TODO: forget the cart after an hour\n",
    "src/server.ts":
      'import { cart } from "./cart.js";\n\n// TODO: close the socket\nserve(cart);\n',
  },
  quotas: { maxTotalBytes: 1_000 },
});

await lookAround();
await readOnePage();
await searchAndTakeNotes();
await tryToClimbOut();
await tryToFillTheDisk();
await undoADisaster();
await sumUp();

async function lookAround() {
  const sources = await fs.glob("src/**/*.ts");
  const paths = sources.map(({ path }) => path);
  assert.deepEqual(paths, ["src/cart.ts", "src/server.ts"]);
  say("look", `src/**/*.ts → ${paths.join(", ")}`);
}

async function readOnePage() {
  const page = await fs.read("src/server.ts", { offset: 2, limit: 1 });
  assert.equal(page.content, "// TODO: close the socket\n");
  assert.deepEqual([page.totalLines, page.truncated], [4, true]);
  say("read", `src/server.ts, line 3 of ${page.totalLines}: ${page.content.trim()}`);
}

async function searchAndTakeNotes() {
  const matches = await fs.grep("TODO: (.*)", { path: "src" });
  const found = matches.map(({ path, lineNumber }) => `${path}:${lineNumber}`);
  assert.deepEqual(found, ["src/cart.ts:2", "src/server.ts:3"]);
  say("search", `TODO → ${found.join(", ")}`);

  const notes = matches.map(
    ({ lineContent, matchStart }) => `- ${lineContent.slice(matchStart)}\n`,
  );
  const written = await fs.write("notes/review.md", notes.join(""));
  assert.equal(
    (await fs.read("notes/review.md")).content,
    "- TODO: forget the cart after an hour\n- TODO: close the socket\n",
  );
  say("write", `notes/review.md, ${written.bytesWritten} bytes, its folder made on the way`);
}

async function tryToClimbOut() {
  await assert.rejects(fs.read("../etc/passwd"), (error) => {
    assert(isFilesystemError(error, "EACCES"));
    say("refused", error.message);
    return true;
  });
}

async function tryToFillTheDisk() {
  const before = await fs.usage();
  await assert.rejects(fs.write("core.dump", "x".repeat(1_000)), (error) => {
    assert(isFilesystemError(error, "EDQUOT"));
    say("refused", error.message);
    return true;
  });
  // A refused operation changes nothing.
  assert.deepEqual(await fs.usage(), before);
}

async function undoADisaster() {
  const before = await fs.snapshot();
  await fs.delete("src", { recursive: true });
  assert.equal(await fs.exists("src/server.ts"), false);
  await fs.restore(before);
  assert.equal((await fs.read("src/server.ts")).totalLines, 4);
  say("undo", "src deleted with its content, and restored from a snapshot");
}

async function sumUp() {
  const { fileCount, directoryCount, totalBytes } = await fs.usage();
  assert.deepEqual([fileCount, directoryCount, totalBytes], [4, 2, 222]);
  say("usage", `${fileCount} files in ${directoryCount} folders, ${totalBytes} of 1000 bytes`);
  console.log("\nEverything happened in memory: no file on disk was changed.");
  console.log(
    "This program is examples/first-steps/main.ts; README.md says where to go from here.",
  );
}

function say(what: string, text: string): void {
  console.log(`${what.padEnd(8)} ${text}`);
}

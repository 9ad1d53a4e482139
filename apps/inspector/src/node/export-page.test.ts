import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { recordShowcase } from "../browser-tests/record-showcase.test.support.js";
import { embeddedSource } from "../source/embedded-source.js";
import { exportPage } from "./export-page.js";
import { RunFiles } from "./run-files.js";
import { chunksOf, PAGE } from "./test-page.test.support.js";

const HOSTILE = `</script><script>document.title="owned"</script><!--`;
let base: string;
let files: RunFiles;

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "wink-export-"));
  const run = await recordShowcase(base, {
    files: { "marked.txt": `one\nMARK-FILE ${HOSTILE}\n`, "bad.svg": "<svg onload=alert(1)>" },
    steps: [
      { text: `MARK-SAID ${HOSTILE}`, calls: [["read_file", { file_path: "marked.txt" }]] },
      {
        calls: [
          ["write_file", { file_path: "new.txt", content: "MARK-WRITTEN\n" }],
          ["edit_file", { file_path: "marked.txt", old_string: "one", new_string: "MARK-EDITED" }],
          ["bash", { script: "echo MARK-SHELL > shell.txt" }],
          ["replace_everywhere", { find: "medianDays", replace: "MARK_UNDONE" }],
        ],
      },
      { text: "MARK-ANSWER" },
    ],
  });
  files = new RunFiles({ runs: [run] });
});

afterAll(() => {
  files.close();
  rmSync(base, { recursive: true });
});

async function exported(omit: { readonly prompts: boolean; readonly files: boolean }) {
  return await exportPage({ files, runs: ["0"], page: PAGE, version: "1", omit });
}

/** The whole text of a page with its data unpacked. */
function unpacked(html: string): string {
  const texts = Array.from(html.matchAll(/data-wink="\w+">([^<]*)</g), ([, text = ""]) =>
    gunzipSync(Buffer.from(text, "base64")).toString("latin1"),
  );
  expect(texts.length).toBeGreaterThan(3);
  return html + texts.join("\n");
}

const FILE_MARKS = ["MARK-FILE", "MARK-WRITTEN", "MARK-EDITED", "MARK-SHELL", "MARK_UNDONE"];
const SAID_MARKS = ["MARK-SAID", "MARK-ANSWER", "The median of the parcels is wrong"];

it("an exported page has everything, and says what it contains (IN-15)", async () => {
  const { html, contents } = await exported({ prompts: false, files: false });
  for (const mark of [...FILE_MARKS, ...SAID_MARKS]) expect(unpacked(html)).toContain(mark);
  expect(contents).toMatchObject({ runs: 1, prompts: true, files: true, wink: "1" });
  expect(contents.fileCount).toBeGreaterThan(8);
});

it("content cannot end the element that holds it, and the policy allows only the page's own script (IN-13, IN-14)", async () => {
  const { html } = await exported({ prompts: false, files: false });
  expect(html).not.toContain("owned");
  expect(html.match(/<\/script>/g)?.length).toBe((html.match(/data-wink=/g)?.length ?? 0) + 1);
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? "";
  expect(policy).toMatch(
    /^default-src 'none'; script-src 'sha256-[^ ;]+'; style-src 'sha256-[^ ;]+';/,
  );
  expect(policy).not.toMatch(/connect-src|unsafe|\*/);
  const source = await embeddedSource(chunksOf(html));
  const { lastSequence } = (await source?.overview("0")) ?? { lastSequence: 0 };
  const tree = await source?.tree("0", { event: lastSequence });
  const svg = tree?.entries.find(({ path }) => path === "bad.svg");
  expect(await source?.content("0", svg?.content ?? "")).toMatchObject({
    kind: "text",
    mediaType: "",
  });
});

it("an export without files has no byte of them, also not in events, inputs, answers and errors (IN-16)", async () => {
  const { html, contents } = await exported({ prompts: false, files: true });
  const text = unpacked(html);
  for (const mark of FILE_MARKS) expect(text).not.toContain(mark);
  expect(text).toContain("MARK-SAID");
  expect(contents).toMatchObject({ files: false, fileCount: 0, fileBytes: 0 });
  const source = await embeddedSource(chunksOf(html));
  await expect(source?.tree("0", { event: 1 })).rejects.toMatchObject({ code: "MISSING" });
  expect((await source?.overview("0"))?.calls.length).toBe(5);
});

it("an export without prompts has no byte of the conversation (IN-16)", async () => {
  const { html, contents } = await exported({ prompts: true, files: false });
  const text = unpacked(html);
  for (const mark of SAID_MARKS) expect(text).not.toContain(mark);
  expect(text).toContain("MARK-FILE");
  expect(contents).toMatchObject({ prompts: false, files: true });
  const source = await embeddedSource(chunksOf(html));
  await expect(source?.prompt("0", 0)).rejects.toMatchObject({ code: "MISSING" });
  const both = unpacked((await exported({ prompts: true, files: true })).html);
  for (const mark of [...FILE_MARKS, ...SAID_MARKS]) expect(both).not.toContain(mark);
});

it("a page of a newer version is refused by name, and an incomplete one says so (IN-17)", async () => {
  const { html } = await exported({ prompts: false, files: false });
  const newer = html.replace(/(data-wink="manifest">)([^<]*)/, (_, tag: string, text: string) => {
    const manifest = JSON.parse(gunzipSync(Buffer.from(text, "base64")).toString());
    const json = JSON.stringify({ ...manifest, version: 99 });
    // Uncompressed data is not gzip, so it is packed again.
    return tag + gzip(json);
  });
  await expect(embeddedSource(chunksOf(newer))).rejects.toThrow(
    "data of version 99. Its program reads 1.",
  );
  const cut = await embeddedSource(chunksOf(html.replace('data-wink="0"', 'data-wink="x0"')));
  await expect(cut?.overview("0")).rejects.toThrow("This page is incomplete: chunk 0.");
  expect(await embeddedSource(chunksOf(PAGE))).toBeUndefined();
});

function gzip(text: string): string {
  return gzipSync(text).toString("base64");
}

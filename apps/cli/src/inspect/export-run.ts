import { resolve } from "node:path";
import { saveFile } from "@wink/filesystem/host";
import type { Command } from "commander";
import { exportPage, findPage, type RunFiles } from "#inspector/node";
import type { Io } from "../terminal/io.js";
import { MANIFEST } from "../terminal/manifest.js";
import { answer } from "../terminal/print.js";
import { count, size } from "../view/amounts.js";

export interface ExportRunOptions {
  readonly export?: string | undefined;
  readonly without?: readonly ("prompts" | "files")[] | undefined;
  readonly compare?: string | undefined;
}

/** Writes the page with the first run in it, and with the run to compare. Lists what is in the file. */
export async function exportRun(
  io: Io,
  command: Command,
  files: RunFiles,
  { export: name = "run.html", without = [], compare }: ExportRunOptions,
): Promise<void> {
  const file = resolve(io.cwd, name);
  const omit = { prompts: without.includes("prompts"), files: without.includes("files") };
  const runs = compare === undefined ? ["0"] : ["0", "1"];
  io.status.show("reading the run …");
  const { html, contents } = await exportPage({
    ...{ files, runs, omit, page: await findPage(), version: MANIFEST.version },
    compare: compare === undefined ? undefined : "1",
  });
  saveFile(file, html);
  const sizeBytes = Buffer.byteLength(html);
  answer(io, command, { file, sizeBytes, contents }, () => {
    const kept = contents.files
      ? `${count(contents.fileCount, "file content")}, ${size(contents.fileBytes)}`
      : "no contents of files";
    return [
      `${name} (${size(sizeBytes)}) opens without a server and without a network. It contains:`,
      `  ${count(contents.runs, "run")} with ${count(contents.events, "event")}, session state and plan`,
      `  ${contents.prompts ? "prompts, messages, and what tools were given and answered" : "no prompts and messages"}`,
      `  ${kept}`,
      "Anyone who has the file can read all of it.",
    ].join("\n");
  });
}

import type { Writable } from "node:stream";
import type { WorkspaceDigest } from "@wink/tools";
import type { MountReport } from "@wink/workspace";
import type { Colors } from "../terminal/print.js";
import { oneLine, safeText, wrap } from "../terminal/terminal-text.js";
import { count, size } from "../view/amounts.js";
import { colorPatch } from "../view/color-patch.js";
import type { DemoReport } from "./demo-report.js";
import { summarize, type TestReport } from "./test-report.js";

export interface SceneOptions {
  readonly output: Writable;
  readonly colors: Colors;
  readonly columns: number;
  /** The command that starts `wink` here. */
  readonly wink: string;
}

/** Prints the parts of the demo around the agent's own lines. */
export class DemoScenes {
  readonly #options: SceneOptions;

  constructor(options: SceneOptions) {
    this.#options = options;
  }

  opening(model: string): void {
    const { colors } = this.#options;
    this.#line();
    this.#line(`${colors.bold("wink demo")}  An agent repairs a bug in a copy of a project.`);
    if (model === "scripted") {
      this.#line("Its model is scripted, with fixed turns, so the demo needs no key and");
      this.#line("no network. The files, the tools, the rollback and the tests are real.");
    } else this.#line(`Its model is ${oneLine(model, 60)}.`);
  }

  project({ fileCount, totalBytes }: MountReport, hash: string): void {
    this.#heading("A project with failing tests");
    this.#line(
      `${count(fileCount, "file")}, ${size(totalBytes)}, copied into a workspace in memory`,
    );
    this.#line(this.#dim(`on disk: sha256 ${short(hash)}`));
  }

  work(where: string, digest: WorkspaceDigest | undefined): void {
    this.#heading("The agent at work");
    const overview = digest === undefined ? "" : `It knows: ${digest.summary} `;
    for (const line of wrap(`${overview}Its tests run in ${where}.`, this.#width))
      this.#line(this.#dim(line));
    this.#line();
  }

  /** Prints the failures of a test run below the call that started it. */
  tests({ failures }: TestReport): void {
    for (const failure of failures)
      this.#line(`  ${this.#options.colors.red("✗")} ${oneLine(failure, this.#width - 4)}`);
  }

  closing(report: DemoReport): void {
    this.#findings(report);
    this.#heading("Its change, so far only in the workspace");
    // git needs the hashes of the index line; a reader does not.
    const patch = report.patch.trimEnd().replace(/^index .*\n/gm, "");
    for (const line of colorPatch(patch, this.#options.colors).split("\n")) this.#line(line);
    this.#proof(report);
    this.#goOn();
  }

  #findings({ output }: DemoReport): void {
    const { colors } = this.#options;
    this.#heading("Its findings, validated by a schema");
    for (const { file, line, severity, problem } of output.findings) {
      const paint = severity === "high" ? colors.red : colors.magenta;
      this.#line(`${paint(severity.padEnd(6))} ${colors.bold(`${safeText(file)}:${line}`)}`);
      for (const text of wrap(problem, this.#width - 7)) this.#line(`       ${text}`);
    }
  }

  #proof({ host, copy }: DemoReport): void {
    this.#heading("Your files");
    this.#check(
      host.untouched,
      `the project on disk is ${host.untouched ? "untouched" : "not as it was"}`,
      `sha256 ${short(host.after)}, before ${short(host.before)}`,
    );
    this.#check(true, "the patch is applied to a copy", copy.appliedBy);
    this.#check(copy.tests.failed === 0, summarize(copy.tests), "node --test, in the copy");
  }

  #check(isGood: boolean, text: string, detail: string): void {
    const { colors } = this.#options;
    const mark = isGood ? colors.green("✓") : colors.red("✗");
    this.#line(`${mark} ${text.padEnd(34)} ${this.#dim(detail)}`);
  }

  #goOn(): void {
    const { colors } = this.#options;
    this.#heading("Now you");
    const { wink } = this.#options;
    this.#line("The same with a real model; set ANTHROPIC_API_KEY or OPENAI_API_KEY first:");
    this.#line(`  ${colors.cyan(`${wink} demo --model anthropic:<model>`)}`);
    this.#line(`  ${colors.cyan(`${wink} demo --model openai:<model>`)}`);
    this.#line("Your own agent, on your own files:");
    this.#line(`  ${colors.cyan(`${wink} init my-agent`)}`);
    this.#line("This run, event by event, in your browser:");
    this.#line(`  ${colors.cyan(`${wink} inspect demo`)}`);
    this.#line();
  }

  #heading(text: string): void {
    this.#line();
    this.#line(this.#options.colors.bold(text));
  }

  #dim(text: string): string {
    return this.#options.colors.dim(text);
  }

  get #width(): number {
    return this.#options.columns - 2;
  }

  #line(text = ""): void {
    this.#options.output.write(text === "" ? "\n" : `  ${text}\n`);
  }
}

function short(hash: string): string {
  return hash.slice(0, 12);
}

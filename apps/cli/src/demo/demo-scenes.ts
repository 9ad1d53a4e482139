import type { Writable } from "node:stream";
import type { MountReport } from "@wink/filesystem/host";
import type { WorkspaceDigest } from "@wink/tools";
import type { Colors } from "../print.js";
import { count, size } from "../view/amounts.js";
import { colorPatch } from "../view/color-patch.js";
import { oneLine, safeText } from "../view/terminal-text.js";
import type { DemoReport } from "./demo-report.js";
import { summarize } from "./test-report.js";

export interface SceneOptions {
  readonly output: Writable;
  readonly colors: Colors;
  readonly columns: number;
}

/** What the demo prints around the agent's own lines. */
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
      this.#line("Its model is scripted: it says what it was told to, so there is no key and");
      this.#line("no network. The files, the tools, the rollback and the tests are real.");
    } else this.#line(`Its model is ${oneLine(model, 60)}.`);
  }

  project({ fileCount, totalBytes }: MountReport, hash: string): void {
    this.#heading("A project with tests that fail");
    this.#line(
      `${count(fileCount, "file")}, ${size(totalBytes)}, copied into a workspace in memory`,
    );
    this.#line(this.#dim(`on disk: sha256 ${short(hash)}`));
  }

  work(where: string): void {
    this.#heading("The agent at work");
    this.#line(this.#dim(oneLine(`tests run in ${where}`, this.#width)));
  }

  digest({ summary }: WorkspaceDigest): void {
    this.#line(this.#dim(`it is told: ${oneLine(summary, this.#width - 12)}`));
  }

  closing(report: DemoReport): void {
    this.#findings(report);
    this.#heading("Its change, which only the workspace has so far");
    for (const line of colorPatch(report.patch.trimEnd(), this.#options.colors).split("\n"))
      this.#line(line);
    this.#proof(report);
    this.#goOn();
  }

  #findings({ output }: DemoReport): void {
    const { colors } = this.#options;
    this.#heading("What it found, typed and checked by a schema");
    for (const { file, line, severity, problem } of output.findings) {
      const paint = severity === "high" ? colors.red : colors.yellow;
      this.#line(`${paint(severity.padEnd(6))} ${colors.bold(`${safeText(file)}:${line}`)}`);
      this.#line(`       ${oneLine(problem, this.#width - 7)}`);
    }
  }

  #proof({ host, copy }: DemoReport): void {
    const { colors } = this.#options;
    const mark = (good: boolean) => (good ? colors.green("✓") : colors.red("✗"));
    this.#heading("Your files");
    const now = `sha256 ${short(host.after)}, ${host.untouched ? "as before" : "before it was "}`;
    this.#line(
      `${mark(host.untouched)} the project on disk is ${host.untouched ? "untouched" : "changed"}  ${this.#dim(`${now}${host.untouched ? "" : short(host.before)}`)}`,
    );
    this.#line(`${mark(true)} the patch is applied to a copy  ${this.#dim(copy.appliedBy)}`);
    const isGreen = copy.tests.failed === 0;
    this.#line(
      `${mark(isGreen)} ${summarize(copy.tests)}  ${this.#dim("node --test, in the copy")}`,
    );
  }

  #goOn(): void {
    const { colors } = this.#options;
    this.#heading("Now you");
    this.#line(`with a real model  ${colors.cyan("wink demo --model anthropic:<model>")}`);
    this.#line(`                   ${colors.cyan("wink demo --model openai:<model>")}`);
    this.#line(this.#dim("                   with ANTHROPIC_API_KEY or OPENAI_API_KEY set"));
    this.#line(`your own agent     ${colors.cyan("wink init my-agent")}`);
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

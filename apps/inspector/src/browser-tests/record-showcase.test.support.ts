import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  defineSubagentTool,
  ModelAdapter,
  type ModelClient,
  ModelError,
  type ModelTurn,
} from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import type { Filesystem } from "@wink/filesystem";
import {
  type BoundPrompt,
  Budget,
  defineTool,
  fail,
  MarkdownSection,
  Prompt,
  PromptTemplate,
  type Tool,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { PlanningToolsSection, SnapshotToolsSection, VfsToolsSection } from "@wink/tools";
import { BashSection } from "@wink/tools/bash";
import { z } from "zod";
import { PICTURE, PROJECT } from "./showcase-project.test.support.js";

/** One answer of the scripted model: its text and its calls, or an error that the loop retries. */
export interface Step {
  readonly text?: string;
  readonly calls?: readonly (readonly [tool: string, input: object])[];
  readonly overloaded?: true;
}

const STEPS: readonly Step[] = [
  {
    text: "I plan first, then look at the code and its tests.",
    calls: [
      [
        "planning_setup_plan",
        {
          objective: "Make the median right",
          steps: ["Find the bug", "Repair it", "Translate the page", "Save a snapshot"],
        },
      ],
      ["ls", { path: "." }],
    ],
  },
  {
    text: "The median sorts its numbers as texts. I read the file.",
    calls: [
      ["read_file", { file_path: "src/delivery.js" }],
      ["grep", { pattern: "medianDays", path: "." }],
    ],
  },
  {
    text: "While I am here, medianDays could have a shorter name.",
    calls: [["replace_everywhere", { find: "medianDays", replace: "median" }]],
  },
  { overloaded: true },
  {
    text: "The tests import it by that name, so that was undone. Back to the bug.",
    calls: [
      ["snapshot_create", { name: "before-fix", description: "Before the repair." }],
      [
        "edit_file",
        {
          file_path: "src/delivery.js",
          old_string: "days.sort();",
          new_string: "[...days].sort((a, b) => a - b);",
        },
      ],
      ["planning_update_step", { step_id: "1", status: "completed" }],
    ],
  },
  {
    text: "I write a note without reading the file first. The policy will refuse it.",
    calls: [
      ["edit_file", { file_path: "README.md", old_string: "take", new_string: "need" }],
      ["planning_update_step", { step_id: "2", status: "completed" }],
    ],
  },
  {
    text: "Two colleagues translate the page at the same time.",
    calls: [
      ["translate", { language: "German" }],
      ["translate", { language: "French" }],
    ],
  },
  {
    text: "Now the shell: count the lines, and remove the old report.",
    calls: [["bash", { script: "wc -l src/*.js > lines.txt\nrm src/report.js\ncat lines.txt" }]],
  },
  {
    text: "The report was still needed. I restore the snapshot and repair the code again.",
    calls: [["snapshot_restore", { name: "before-fix" }]],
  },
  {
    calls: [
      ["read_file", { file_path: "src/delivery.js" }],
      [
        "edit_file",
        {
          file_path: "src/delivery.js",
          old_string: "days.sort();",
          new_string: "[...days].sort((a, b) => a - b);",
        },
      ],
      ["planning_update_step", { step_id: "3", status: "completed" }],
      ["planning_update_step", { step_id: "4", status: "completed" }],
    ],
  },
  { text: "The median is right now: it compares numbers, and it sorts a copy." },
];

const TRANSLATIONS: Readonly<Record<string, readonly Step[]>> = {
  German: [
    {
      text: "I write the German page.",
      calls: [
        [
          "write_file",
          { file_path: "page.de.md", content: "# Pakete\n\nWie lange sie brauchen.\n" },
        ],
      ],
    },
    { text: "The German page is page.de.md." },
  ],
  French: [
    {
      calls: [["replace_everywhere", { find: "parcels", replace: "colis" }]],
    },
    {
      text: "Replacing words in the code is refused. I write a separate page.",
      calls: [
        ["write_file", { file_path: "page.fr.md", content: "# Colis\n\nCombien de jours ?\n" }],
      ],
    },
    { text: "The French page is page.fr.md." },
  ],
};

/** Plays the steps of the conversation that the prompt belongs to. */
function scripted(steps: readonly Step[], onAsk?: () => Promise<unknown>): ModelClient {
  const scripts = new Map<string, Step[]>([["", [...steps]]]);
  for (const [language, each] of Object.entries(TRANSLATIONS)) scripts.set(language, [...each]);
  let calls = 0;
  return {
    name: "scripted",
    async ask({ instructions, messages }, { onText }): Promise<ModelTurn> {
      await onAsk?.();
      const language = /Translate the page into (\w+)/.exec(instructions)?.[1] ?? "";
      const step = scripts.get(language)?.shift() ?? { text: "Done." };
      if (step.overloaded) throw new ModelError("OVERLOADED");
      if (step.text) onText(step.text);
      const inputTokens = Math.round((instructions.length + JSON.stringify(messages).length) / 4);
      const cachedInputTokens = messages.length > 2 ? Math.round(inputTokens * 0.7) : 0;
      const outputTokens = 20 + Math.round((JSON.stringify(step).length * 3) / 4);
      const toolCalls = (step.calls ?? []).map(([toolName, input]) => ({
        ...{ toolCallId: `call-${++calls}`, toolName, arguments: JSON.stringify(input) },
      }));
      const costUsd = inputTokens * 3e-6 + outputTokens * 15e-6;
      const usage = { inputTokens, outputTokens, cachedInputTokens, costUsd };
      return { text: step.text ?? "", toolCalls, usage, stopReason: "end" };
    },
  };
}

const replaceEverywhere = defineTool({
  name: "replace_everywhere",
  description: "Replace a text in all source files, then check that the tests can still import it.",
  input: z.object({ find: z.string(), replace: z.string() }),
  access: "write",
  async handler({ find, replace }, { filesystem }) {
    const matches = await filesystem.grep(find, { path: "src", literal: true });
    for (const path of new Set(matches.map((match) => match.path))) {
      const { content } = await filesystem.read(path);
      await filesystem.write(path, content.replaceAll(find, replace), { mode: "overwrite" });
    }
    return fail("4 tests passed before, now 0: the tests import the old name.");
  },
});

async function promptOf(
  filesystem: Filesystem,
  session: Session,
  text: string,
  more: boolean,
): Promise<BoundPrompt<undefined>> {
  const task = new MarkdownSection({
    ...{ key: "task", title: "Task", template: text },
    tools: [replaceEverywhere, ...(more ? [translate()] : [])],
  });
  const files = await VfsToolsSection.create({ session, filesystem, trackChanges: false });
  const sections = more
    ? [
        task,
        new PlanningToolsSection({ session }),
        files,
        new SnapshotToolsSection(),
        new BashSection(),
      ]
    : [task, files];
  return new Prompt(new PromptTemplate({ ns: "parcels", key: "repair", sections })).bind({});
}

function translate(): Tool {
  return defineSubagentTool({
    name: "translate",
    description: "Let a colleague translate the page.",
    input: z.object({ language: z.string() }),
    prompt: ({ language }, filesystem, session) =>
      promptOf(filesystem, session, `Translate the page into ${language}.`, false),
  });
}

export interface ShowcaseOptions {
  /** @default the whole story */
  readonly steps?: readonly Step[];
  /** Files besides those of the project, by path. @default none */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** How many evaluations the session has. @default 1 */
  readonly evaluations?: number;
  /** @default "repair" */
  readonly agent?: string;
  /** Runs before each answer of the model. @default nothing */
  readonly onAsk?: () => Promise<unknown>;
}

/**
 * Records a real run with subagents, a rollback, a retry, a refused call, a shell and a restored snapshot. Returns its
 * directory.
 */
export async function recordShowcase(base: string, options: ShowcaseOptions = {}): Promise<string> {
  const workspace = join(base, "workspace");
  for (const [path, content] of Object.entries({
    ...PROJECT,
    "logo.png": PICTURE,
    ...options.files,
  })) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  }
  const directory = join(base, "run");
  await using run = await Run.open(directory, {
    ...{
      workspace,
      agent: options.agent ?? "repair",
      model: "scripted-1",
      params: { project: "parcels" },
    },
  });
  const adapter = new ModelAdapter(scripted(options.steps ?? STEPS, options.onAsk), {
    ...{ retry: { baseDelayMs: 1 }, onError: () => {} },
  });
  const { filesystem, session } = run;
  for (let count = 0; count < (options.evaluations ?? 1); count++) {
    const prompt = await promptOf(
      filesystem,
      session,
      "The median of the parcels is wrong. Find out why and repair it.",
      true,
    );
    await adapter.evaluate(prompt, { session, budget: new Budget({ tokens: 60_000, costUsd: 1 }) });
  }
  return directory;
}

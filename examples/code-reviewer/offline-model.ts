import type { ModelRequest } from "@wink/adapters";
import { ScriptedAdapter, type ScriptedTurn } from "@wink/adapters/scripted";
import type { Review } from "./agent.js";

/** A pattern to search for, and the finding to report. */
interface Rule {
  readonly focus: string;
  readonly pattern: string;
  readonly severity: Review["findings"][number]["severity"];
  readonly problem: string;
  readonly advice: string;
  /** A replacement, for files that contain the text. */
  readonly repair: readonly [oldString: string, newString: string];
}

const RULES: readonly Rule[] = [
  {
    focus: "error handling",
    pattern: "catch \\{",
    severity: "medium",
    problem: "The error is dropped, whatever it was.",
    advice: "Catch what you expect and throw the rest.",
    repair: [
      "catch {\n    // It is probably there already.",
      'catch (error) {\n    if (error.code !== "duplicate") throw error;',
    ],
  },
  {
    focus: "security",
    pattern: "SELECT .*\\$\\{",
    severity: "high",
    problem: "A value from outside is pasted into SQL.",
    advice: "Pass it as a parameter.",
    repair: ["'$" + "{customer}'`", "$1`, [customer]"],
  },
  {
    focus: "security",
    pattern: "Math\\.random",
    severity: "high",
    problem: "The id can be guessed.",
    advice: "Use a generator that was made for secrets.",
    repair: ["Math.random().toString(36).slice(2)", "crypto.randomUUID()"],
  },
];

/**
 * Replaces a model, so that the example runs offline. It searches for the faults that its
 * instructions name, reads, fixes and reports them by the rules above.
 */
export function createOfflineModel(): ScriptedAdapter {
  return new ScriptedAdapter({
    turns: (request, index) => STEPS[Math.min(index, STEPS.length - 1)]!(request),
  });
}

const STEPS: readonly ((request: ModelRequest) => ScriptedTurn)[] = [search, read, repair, report];

function search(request: ModelRequest): ScriptedTurn {
  const rules = rulesFor(request);
  if (rules.length === 0) return report(request);
  return { calls: rules.map(({ pattern }) => ({ tool: "grep", input: { pattern } })) };
}

function read(request: ModelRequest): ScriptedTurn {
  const files = new Set(findingsIn(request).map(({ file }) => file));
  return { calls: [...files].map((file) => ({ tool: "read_file", input: { file_path: file } })) };
}

function repair(request: ModelRequest): ScriptedTurn {
  const repairs = rulesFor(request).map(({ repair: [oldString, newString] }) => {
    const page = answersOf(request, "read_file").find(({ text }) => holds(text, oldString));
    const file = /'([^']+)'/.exec(page?.text ?? "")?.[1];
    return { file_path: file, old_string: oldString, new_string: newString };
  });
  return { calls: repairs.map((input) => ({ tool: "edit_file", input })) };
}

function report(request: ModelRequest): ScriptedTurn {
  const findings = findingsIn(request);
  const known = [...new Set(RULES.map(({ focus }) => focus))].join(" and ");
  const summary =
    rulesFor(request).length === 0
      ? `I have rules for ${known} only.`
      : `${findings.length} findings.`;
  return { text: { summary, findings } satisfies Review };
}

function rulesFor({ instructions }: ModelRequest): readonly Rule[] {
  return RULES.filter(({ focus }) => instructions.includes(`for ${focus}, and for nothing else`));
}

/** One finding for each line that a search has shown, in the order of the rules. */
function findingsIn(request: ModelRequest): Review["findings"] {
  const answers = answersOf(request, "grep");
  return rulesFor(request).flatMap(({ severity, problem, advice }, index) =>
    [...(answers[index]?.text ?? "").matchAll(/^(.+?):(\d+):/gm)].map(([, file = "", line]) => ({
      ...{ file, line: Number(line) },
      ...{ severity, problem, advice },
    })),
  );
}

function answersOf({ messages }: ModelRequest, tool: string): readonly { text: string }[] {
  return messages.filter((message) => message.role === "tool" && message.toolName === tool);
}

/** Whether a page with numbered lines shows a text. */
function holds(page: string, text: string): boolean {
  return text.split("\n").every((line) => page.includes(line.trim()));
}

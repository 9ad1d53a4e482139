import { Budget, type BudgetLimits, Deadline, type Duration, isPromptError } from "@wink/prompt";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";

/** What `--budget` calls each amount. */
const AMOUNTS = {
  tokens: "tokens",
  usd: "costUsd",
  calls: "toolCalls",
  bytes: "bytesWritten",
} as const satisfies Record<string, keyof BudgetLimits>;

/** `tokens=100000,usd=0.50,calls=40,bytes=1000000`, in any order. */
export function readBudget(text: string | undefined): Budget | undefined {
  if (text === undefined) return undefined;
  const limits: { -readonly [Name in keyof BudgetLimits]: BudgetLimits[Name] } = {};
  for (const part of text.split(",")) {
    const [, name = "", amount = ""] = /^\s*(\w+)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    if (!isAmount(name))
      throw usage(
        `--budget does not know '${part}'.`,
        "It takes amounts such as tokens=100000,usd=0.50,calls=40,bytes=1000000.",
      );
    limits[AMOUNTS[name]] = Number(amount);
  }
  return new Budget(limits);
}

/** `30s`, `10m`, `1.5h` from now. */
export function readDeadline(text: string | undefined): Deadline | undefined {
  if (text === undefined) return undefined;
  try {
    // Whatever it is, `Deadline` checks it.
    return Deadline.in(text as Duration);
  } catch (error) {
    if (!isPromptError(error)) throw error;
    throw usage(`--deadline does not know '${text}'.`, "It takes a time such as 30s, 10m or 1.5h.");
  }
}

function isAmount(name: string): name is keyof typeof AMOUNTS {
  return Object.hasOwn(AMOUNTS, name);
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}

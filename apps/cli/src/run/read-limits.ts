import { findKnownModel, type ModelPrices } from "@wink/adapters";
import { Budget, type BudgetLimits, Deadline, type Duration, isPromptError } from "@wink/prompt";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

const BUDGET_HINT = "Use amounts such as tokens=100000,usd=0.50,calls=40,bytes=1000000.";
const PRICE_HINT = "Use US dollars per million tokens, such as input=3,output=15.";

/** The names of the amounts in `--budget`. */
const AMOUNTS = {
  tokens: "tokens",
  usd: "costUsd",
  calls: "toolCalls",
  bytes: "bytesWritten",
} as const satisfies Record<string, keyof BudgetLimits>;

/** `tokens=100000,usd=0.50,calls=40,bytes=1000000`, in any order. */
export function readBudget(text: string | undefined): Budget | undefined {
  if (text === undefined) return undefined;
  return new Budget(readAmounts("--budget", text, AMOUNTS, BUDGET_HINT));
}

/** The names in `--price`, per million tokens. */
const PRICES = {
  input: "inputUsd",
  output: "outputUsd",
  cached: "cachedInputUsd",
  write: "cacheWriteUsd",
} as const;

/** `input=3,output=15` or `input=3,cached=0.3,write=3.75,output=15`, in any order. */
export function readPrices(text: string | undefined): ModelPrices | undefined {
  if (text === undefined) return undefined;
  const { inputUsd, outputUsd, ...cache } = readAmounts("--price", text, PRICES, PRICE_HINT);
  if (inputUsd === undefined || outputUsd === undefined)
    throw usage("--price needs a price for input and one for output.", PRICE_HINT);
  return { inputUsd, outputUsd, ...cache };
}

/** The prices that were given, else the published ones of the model in `--model`. */
export function pricesOf(given: ModelPrices | undefined, model: string): ModelPrices | undefined {
  return given ?? findKnownModel(model.slice(model.lastIndexOf(":") + 1))?.prices;
}

/** Throws if the budget limits money and the price of the model is not known. */
export function requireCountable(
  budget: Budget | undefined,
  prices: ModelPrices | undefined,
  model: string,
): void {
  const saysItself = model === "scripted" || model.startsWith("replay:");
  if (budget?.limits.costUsd === undefined || prices !== undefined || saysItself) return;
  throw usage(
    `The usd budget needs a price: the price of ${model} is not known.`,
    `Add --price, or limit tokens. ${PRICE_HINT}`,
  );
}

/** `30s`, `10m`, `1.5h` from now. */
export function readDeadline(text: string | undefined): Deadline | undefined {
  if (text === undefined) return undefined;
  try {
    // `Deadline` validates the text.
    return Deadline.in(text as Duration);
  } catch (error) {
    if (!isPromptError(error)) throw error;
    throw usage(`--deadline: invalid time '${text}'.`, "Use a time such as 30s, 10m or 1.5h.");
  }
}

/** Parses `name=1,other=2.5` and maps the names to fields. */
function readAmounts<Field extends string>(
  option: string,
  text: string,
  fields: Readonly<Record<string, Field>>,
  hint: string,
): Partial<Record<Field, number>> {
  const amounts: Partial<Record<Field, number>> = {};
  for (const part of text.split(",")) {
    const [, name = "", amount = ""] = /^\s*(\w+)=(\d+(?:\.\d+)?)\s*$/.exec(part) ?? [];
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) throw usage(`${option}: invalid amount '${part}'.`, hint);
    amounts[field] = Number(amount);
  }
  return amounts;
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}

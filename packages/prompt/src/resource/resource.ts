import { checkOptions, requireFunction } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";

/** Returns resources. Each one is created on first use. */
export interface ResourceReader {
  get<Value>(resource: Resource<Value>): Promise<Value>;
}

/** A token for a value that is created on first use and closed afterwards. */
export interface Resource<Value = unknown> {
  readonly name: string;
  readonly scope: "prompt" | "tool-call";
  /** Creates the value. It may use other resources; those are closed after this one. */
  create(others: ResourceReader): Promise<Value> | Value;
  close(value: Value): Promise<void> | void;
}

/** Declares a resource. The token carries the type of its value. */
export function defineResource<Value>(definition: {
  readonly name: string;
  /** @default "prompt" */
  readonly scope?: "prompt" | "tool-call";
  create(others: ResourceReader): Promise<Value> | Value;
  /** @default calls the value's own asyncDispose, dispose or close, if it has one */
  close?(value: Value): Promise<void> | void;
}): Resource<Value> {
  checkOptions("defineResource", definition, ["name", "scope", "create", "close"]);
  const { name, scope = "prompt" } = definition;
  if (typeof name !== "string" || name === "")
    throw new PromptError("TEMPLATE_INVALID", "resource", "name must be a text");
  requireFunction(`resource '${name}': create`, definition.create, "a function");
  if (definition.close !== undefined)
    requireFunction(`resource '${name}': close`, definition.close, "a function");
  return Object.freeze({
    name,
    scope,
    create: definition.create.bind(definition),
    close: definition.close?.bind(definition) ?? closeByItself,
  });
}

async function closeByItself(value: unknown): Promise<void> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
  for (const name of [Symbol.asyncDispose, Symbol.dispose, "close"] as const) {
    // The cast allows the lookup; the next line checks that the member exists.
    const method = (value as Readonly<Record<string | symbol, unknown>>)[name];
    if (typeof method !== "function") continue;
    await method.call(value);
    return;
  }
}

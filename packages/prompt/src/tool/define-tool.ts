import { checkOptions, describeWrong, requireFunction, showValue } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import type { Tool, ToolDefinition, ToolExample, ValueOf } from "../protocol/tool.js";
import {
  checkNow,
  describeIssue,
  type ModelSchema,
  type OutputOf,
  type Schema,
} from "../schema/schema.js";
import { modelInputSchema, modelOutputSchema } from "../schema/to-json-schema.js";

/** The function names that all providers accept. */
export const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Defines a tool that a model can call.
 *
 * It throws for an invalid name, a schema without a JSON form, and an example that does not match.
 */
export function defineTool<
  const Name extends string,
  Input extends ModelSchema,
  Value,
  Output extends ModelSchema | undefined = undefined,
>(
  definition: ToolDefinition<Name, Input, Output, Value>,
): Tool<Name, OutputOf<Input>, ValueOf<Output, Value>> {
  checkDeclaration(definition);
  const { name, description, access, examples = [], timeoutMs, files, output } = definition;
  const subject = `tool '${name}'`;
  const inputSchema = modelInputSchema(definition.input, subject);
  const outputSchema = output && modelOutputSchema(output, subject);
  for (const [index, example] of examples.entries())
    checkExample(example, definition, `example ${index + 1} of ${subject}`);

  const tool = {
    name,
    description,
    input: definition.input,
    inputSchema,
    output,
    outputSchema,
    access,
    effects: access === "opaque" ? "external" : (definition.effects ?? "external"),
    examples: Object.freeze([...examples]),
    timeoutMs,
    files,
    // Bound to the definition, so that a handler may use `this` like any method.
    handler: definition.handler.bind(definition),
    ...(definition.render && { render: definition.render.bind(definition) }),
  };
  // ValueOf is the output type of both schemas, but the compiler cannot resolve the conditional
  // type.
  return Object.freeze(tool) as unknown as Tool<Name, OutputOf<Input>, ValueOf<Output, Value>>;
}

const ACCESS: readonly unknown[] = ["read", "session", "write", "opaque"];
const EFFECTS: readonly unknown[] = ["workspace", "external", undefined];
const OPTIONS = [
  ...["name", "description", "input", "output", "access", "examples", "timeoutMs", "files"],
  ...["effects", "handler", "render"],
];

interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly access: string;
  readonly effects?: string;
  readonly timeoutMs?: number;
  readonly input: Schema;
  readonly output?: Schema | undefined;
  readonly handler: unknown;
  readonly examples?: readonly unknown[];
  readonly files?: unknown;
  readonly render?: unknown;
}

function checkDeclaration(declaration: Declaration): void {
  checkOptions("defineTool", declaration, OPTIONS, "TOOL_INVALID");
  const { name, files, examples = [], render } = declaration;
  const subject = `tool '${String(name)}'`;
  if (files !== undefined)
    checkOptions(
      `files of ${subject}`,
      files,
      ["views", "changes", "removes", "dryRun"],
      "TOOL_INVALID",
    );
  for (const [member, value] of Object.entries(files ?? {}))
    if (member !== "dryRun" && value !== undefined)
      requireFunction(`files.${member} of ${subject}`, value, "a function of the input");
  for (const [index, example] of examples.entries()) {
    const known = ["description", "input", "output"];
    checkOptions(`example ${index + 1} of ${subject}`, example, known, "TOOL_INVALID");
  }
  if (render !== undefined) requireFunction(`render of ${subject}`, render, "a function");
  const reason = problemOf(declaration);
  if (reason !== undefined)
    throw new PromptError("TOOL_INVALID", `tool '${declaration.name}'`, reason);
}

function problemOf(declaration: Declaration) {
  const { name, description, access, effects, timeoutMs, handler, input } = declaration;
  if (typeof name !== "string" || !TOOL_NAME.test(name))
    return "a name has 1 to 64 letters, digits, _ and -, and starts with a letter";
  if (typeof description !== "string" || description.trim() === "")
    return "description is missing. Tell the model what the tool does";
  if (!ACCESS.includes(access))
    return `access must be one of ${ACCESS.map((each) => `'${each}'`).join(", ")}, got ${showValue(access)}`;
  if (!EFFECTS.includes(effects))
    return `effects must be 'workspace' or 'external', got ${showValue(effects)}`;
  if (timeoutMs !== undefined && !(timeoutMs > 0))
    return `timeoutMs must be a number above 0, got ${showValue(timeoutMs)}`;
  if (typeof handler !== "function")
    return `handler must be a function, got ${describeWrong(handler)}`;
  if (typeof input?.["~standard"]?.validate !== "function")
    return "input is not a Standard Schema. Use a schema of zod or of a similar library, or jsonSchema()";
  return undefined;
}

function checkExample(example: ToolExample, declaration: Declaration, subject: string): void {
  for (const side of ["input", "output"] as const) {
    const schema = declaration[side];
    if (schema === undefined || (side === "output" && example.output === undefined)) continue;
    const issues = checkNow(schema, example[side])?.issues ?? [];
    if (issues.length > 0) {
      const problems = issues.map((issue) => describeIssue(issue, example[side]));
      throw new PromptError("EXAMPLE_INVALID", subject, `${side}: ${problems.join("; ")}`);
    }
  }
}

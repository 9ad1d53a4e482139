import type { Handler } from "../reply/tool-handler.js";
import {
  type EvaluatePythonInput,
  evaluatePythonHandlerFor,
  type PythonValue,
} from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS } from "./python-engine.js";

let handler: Handler<typeof EvaluatePythonInput, PythonValue> | undefined;

/**
 * The handler without a section, with the defaults: for tests and for your own tools.
 * Rejects if `@pydantic/monty` is not installed.
 */
export const evaluatePythonHandler: Handler<typeof EvaluatePythonInput, PythonValue> = async (
  input,
  context,
) => {
  // Created on the first call, so that the module loads without the interpreter.
  handler ??= evaluatePythonHandlerFor({
    engine: new MontyEngine(),
    limits: DEFAULT_PYTHON_LIMITS,
    workspace: "vfs",
  });
  return await handler(input, context);
};

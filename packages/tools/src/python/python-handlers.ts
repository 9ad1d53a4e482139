import { evaluatePythonTool } from "./evaluate-python.js";
import { MontyEngine } from "./monty-engine.js";
import { DEFAULT_PYTHON_LIMITS, type PythonEngine } from "./python-engine.js";

const handlerOn = (engine: PythonEngine) =>
  evaluatePythonTool({
    engine,
    limits: DEFAULT_PYTHON_LIMITS,
    nameTool: (name) => name,
  }).handler;

/**
 * The handler of `evaluate_python`, with the defaults: for tests and for your own tools. It takes parsed input. Each
 * call starts and ends an interpreter; a `PythonSection` keeps one. Rejects if `@pydantic/monty` is not installed.
 */
export const pythonHandlers = Object.freeze({
  evaluatePython: async (...call: Parameters<ReturnType<typeof handlerOn>>) => {
    const engine = new MontyEngine();
    try {
      return await handlerOn(engine)(...call);
    } finally {
      await engine.close();
    }
  },
});

export type { PythonValue } from "./python/evaluate-python.js";
export { MontyEngine } from "./python/monty-engine.js";
export {
  DEFAULT_PYTHON_LIMITS,
  type HostAnswer,
  type PlainValue,
  type PlainValues,
  type PythonEngine,
  type PythonLimits,
  type PythonOutcome,
  type PythonRequest,
} from "./python/python-engine.js";
export { evaluatePythonHandler } from "./python/python-handlers.js";
export { PythonSection, type PythonSectionOptions } from "./python/python-section.js";

export type { PythonValue } from "./evaluate-python.js";
export { MontyEngine } from "./monty-engine.js";
export {
  DEFAULT_PYTHON_LIMITS,
  type HostAnswer,
  type PlainValue,
  type PlainValues,
  type PythonEngine,
  type PythonLimits,
  type PythonOutcome,
  type PythonRequest,
} from "./python-engine.js";
export { evaluatePythonHandler } from "./python-handlers.js";
export { PythonSection, type PythonSectionOptions } from "./python-section.js";

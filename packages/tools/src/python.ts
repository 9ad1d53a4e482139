export type {
  PlainValue,
  PythonEngine,
  PythonLimits,
  PythonOutcome,
  PythonRequest,
} from "./python/python-engine.js";
export { pythonHandlers } from "./python/python-handlers.js";
export { PythonSection, type PythonSectionOptions } from "./python/python-section.js";

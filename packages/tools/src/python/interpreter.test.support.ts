import { createRequire } from "node:module";
import { hasComponent } from "../reply/component.test.support.js";
import { PythonSection, type PythonSectionOptions } from "./python-section.js";

/** Whether tests that run Python can run. */
export const pythonIsHere: boolean = hasComponent(
  isInstalled(),
  "Python needs @pydantic/monty, which npm could not install here",
);

/** Creates a section; `undefined` if the interpreter is not installed. */
export function openPython(options?: PythonSectionOptions): PythonSection | undefined {
  return pythonIsHere ? new PythonSection(options) : undefined;
}

function isInstalled(): boolean {
  try {
    createRequire(import.meta.url).resolve("@pydantic/monty");
    return true;
  } catch {
    return false;
  }
}

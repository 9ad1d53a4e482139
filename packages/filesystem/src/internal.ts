// For WINK's own packages, which check arguments with one implementation. It may change in any release.
export { closestName, describeKind, findOptionProblem } from "./protocol/option-problem.js";

// For WINK's own packages, which check arguments with one implementation. Loads no Node module. It may change in any release.
export { describeKind } from "./arguments/describe-kind.js";
export { closestName, findOptionProblem, findUnknownOption } from "./arguments/option-problem.js";

import {
  addStepHandlerFor,
  readPlanHandlerFor,
  setupPlanHandlerFor,
  updateStepHandlerFor,
} from "./planning-tools.js";

/* The handlers by themselves: for tests, and for tools of one's own. */
export const setupPlanHandler = setupPlanHandlerFor();
export const addStepHandler = addStepHandlerFor();
export const updateStepHandler = updateStepHandlerFor();
export const readPlanHandler = readPlanHandlerFor();

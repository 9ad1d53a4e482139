import {
  addStepHandlerFor,
  readPlanHandlerFor,
  setupPlanHandlerFor,
  updateStepHandlerFor,
} from "./planning-tools.js";

/* The handlers without a section: for tests and for your own tools. */
export const setupPlanHandler = setupPlanHandlerFor();
export const addStepHandler = addStepHandlerFor();
export const updateStepHandler = updateStepHandlerFor();
export const readPlanHandler = readPlanHandlerFor();

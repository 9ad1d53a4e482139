export * from "./model/amounts.js";
export { describeEvent, type EventDescription } from "./model/describe-event.js";

export { type OpenTelemetryOptions, openTelemetry } from "./telemetry/open-telemetry.js";
export type { CaptureContent } from "./telemetry/span-content.js";

/** The class that colours how a run ended. */
export function toneOf(status: string): string {
  if (status === "completed" || status === "stop" || status === "end") return "good";
  return status === "failed" || status === "aborted" ? "bad" : "";
}

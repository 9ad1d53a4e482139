import { expect, it } from "vitest";
import { forkCommand } from "./find-in-overview.js";
import type { RunOverview, RunSummary } from "./run-overview.js";

it("the command that continues a run is one that a shell reads as it is meant (IN-14)", () => {
  const command = (summary: Partial<RunSummary>) => {
    const all = { place: "/runs/one", agent: "agent.ts", parent: null, ...summary };
    // Only the summary is read.
    return forkCommand({ summary: all } as unknown as RunOverview, 41);
  };
  expect(command({})).toBe("wink run agent.ts --from /runs/one@41");
  expect(command({ agent: null })).toBe("wink run <agent> --from /runs/one@41");
  expect(command({ place: "/my runs/$(x)" })).toBe("wink run agent.ts --from '/my runs/$(x)@41'");
  expect(command({ agent: "it's; rm" })).toBe("wink run 'it'\\''s; rm' --from /runs/one@41");
  expect(command({ place: "" })).toBeUndefined();
  expect(command({ parent: { run: "0", sequence: 3 } })).toBeUndefined();
});

import type { EngineReport } from "./container-engine.js";
import { PodmanError } from "./podman-error.js";

/** What the checks inside of a container found. */
export interface ContainerFacts {
  readonly hasPython: boolean;
  readonly hasGit: boolean;
  /** Configured limits that the kernel does not enforce here. */
  readonly unenforced: readonly UnenforcedLimit[];
}

type UnenforcedLimit = "memory" | "pids" | "cpu";

export interface ProbeExpectation {
  readonly networkEnabled: boolean;
  readonly memoryLimitBytes: number;
  readonly pidsLimit: number;
}

/** @throws PodmanError `UNSAFE`, `IMAGE_UNUSABLE` or `LIMIT_UNAVAILABLE` if the container is not isolated as promised */
export function judgeProbe(
  output: string,
  expected: ProbeExpectation,
  report: EngineReport,
): ContainerFacts {
  const found = new Map<string, string[]>();
  for (const line of output.split("\n")) {
    const [name = "", value = ""] = line.trim().split(/\s+/);
    found.set(name, [...(found.get(name) ?? []), value]);
  }
  const all = (name: string) => found.get(name) ?? [];
  const missing = all("missing");
  if (missing.length > 0)
    throw new PodmanError("IMAGE_UNUSABLE", "image", `it has no ${missing.join(" and no ")}`);
  const broken = brokenPromises(all, expected);
  if (!found.has("done") || broken.length > 0)
    throw new PodmanError(
      "UNSAFE",
      "container",
      `it is not isolated, so it was removed: ${broken.join(", ") || "it could not be checked"}`,
      { details: output.slice(0, 4_000) },
    );
  const unenforced = unenforcedLimits(all, expected);
  // On older systems rootless containers have no cgroup controllers. That is reported in `unenforced`, not refused.
  if (unenforced.length > 0 && !report.rootless)
    throw new PodmanError(
      "LIMIT_UNAVAILABLE",
      "container",
      `the kernel does not enforce the limit for ${unenforced.join(", ")}`,
    );
  return {
    hasPython: all("has").includes("python3"),
    hasGit: all("has").includes("git"),
    unenforced,
  };
}

type Lookup = (name: string) => readonly string[];

function brokenPromises(all: Lookup, { networkEnabled }: ProbeExpectation): readonly string[] {
  const isEvery = (name: string, holds: (value: string) => boolean) =>
    all(name).length > 0 && all(name).every(holds);
  const checks: readonly (readonly [holds: boolean, problem: string])[] = [
    [isEvery("uid", (uid) => uid !== "0"), "commands run as root"],
    [isEvery("capabilities", (set) => /^0+$/.test(set)), "it has capabilities"],
    // CAP_KILL is for the guard. With no-new-privileges, no command can gain it.
    [isEvery("bounding-set", (set) => /^0+[02]0$/.test(set)), "it could gain capabilities"],
    [isEvery("memory", (value) => value === "closed"), "commands can change the guard's processes"],
    [isEvery("no-new-privileges", (value) => value === "1"), "programs can gain privileges"],
    [isEvery("root", (value) => value === "read-only"), "its root is writable"],
    [networkEnabled || isEvery("network", (device) => device === "lo"), "it has a network"],
    [
      isEvery("workspace", (value) => value === "shared"),
      "its workspace is not the tools' workspace",
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function unenforcedLimits(
  all: Lookup,
  { memoryLimitBytes, pidsLimit }: ProbeExpectation,
): readonly UnenforcedLimit[] {
  const holds = (name: string, most: number) =>
    all(name).some((value) => /^\d+$/.test(value) && Number(value) <= most);
  const limits: readonly (readonly [UnenforcedLimit, boolean])[] = [
    ["memory", holds("memory-limit", memoryLimitBytes)],
    ["pids", holds("pids-limit", pidsLimit)],
    ["cpu", all("cpu-limit").some((value) => /^[1-9]\d*$/.test(value))],
  ];
  return limits.filter(([, isHeld]) => !isHeld).map(([name]) => name);
}

import { z } from "zod";
import type { EngineReport } from "./container-engine.js";
import { PodmanError } from "./podman-error.js";

const PodmanInfo = z.object({
  host: z.object({
    cgroupVersion: z.string().optional(),
    cgroupControllers: z.array(z.string()).nullish(),
    ociRuntime: z.object({ name: z.string() }),
    security: z.object({ rootless: z.boolean(), seccompProfilePath: z.string().optional() }),
  }),
  version: z.object({ Version: z.string() }),
});

const DockerInfo = z.object({
  ServerVersion: z.string(),
  CgroupVersion: z.string().optional(),
  DefaultRuntime: z.string().optional(),
  SecurityOptions: z.array(z.string()).nullish(),
});

const OLDEST = { podman: 4, docker: 20 } as const;

/** Parses the JSON of `podman info` or `docker info`. */
export function readEngineInfo(text: string, name: string): Omit<EngineReport, "hasImage"> {
  const value = parse(text);
  const podman = PodmanInfo.safeParse(value);
  if (podman.success) {
    const { host, version } = podman.data;
    return requireNewEnough({
      kind: "podman",
      version: version.Version,
      rootless: host.security.rootless,
      runtime: host.ociRuntime.name,
      cgroupVersion: cgroupVersionOf(host.cgroupVersion),
      controllers: host.cgroupControllers ?? [],
      seccompProfilePath: host.security.seccompProfilePath,
    });
  }
  const docker = DockerInfo.safeParse(value);
  if (docker.success) {
    const { ServerVersion, CgroupVersion, DefaultRuntime, SecurityOptions } = docker.data;
    return requireNewEnough({
      kind: "docker",
      version: ServerVersion,
      rootless: (SecurityOptions ?? []).some((option) => option.includes("rootless")),
      runtime: DefaultRuntime ?? "unknown",
      cgroupVersion: cgroupVersionOf(CgroupVersion),
      controllers: undefined,
    });
  }
  throw new PodmanError("ENGINE_UNUSABLE", name, "the output of its info command cannot be parsed");
}

function requireNewEnough(report: Omit<EngineReport, "hasImage">): Omit<EngineReport, "hasImage"> {
  const { kind, version } = report;
  if (Number.parseInt(version, 10) >= OLDEST[kind]) return report;
  throw new PodmanError("ENGINE_TOO_OLD", kind, `its version is ${version.slice(0, 40)}`);
}

function cgroupVersionOf(text = ""): 1 | 2 | undefined {
  if (/^v?2/.test(text)) return 2;
  return /^v?1/.test(text) ? 1 : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeHostTree } from "@wink/filesystem/host";
import { isToolsError } from "../error/tools-error.js";
import type { EngineReport } from "./container-engine.js";
import { containerUser } from "./container-user.js";
import { Overlay } from "./overlay.js";
import type { PodmanConfig } from "./podman-config.js";
import { imageMissing, PodmanError } from "./podman-error.js";
import type { ContainerFacts } from "./probe-container.js";
import { missingControllers } from "./require-usable.js";
import { type ResolvedConfig, resolveConfig } from "./resolve-config.js";
import { SandboxContainer } from "./sandbox-container.js";

export interface PodmanDiagnosis {
  /** Whether a section would work here. */
  readonly usable: boolean;
  readonly checks: readonly {
    readonly name: "engine" | "runtime" | "limits" | "image" | "container";
    /** `warning` if a section also works without it. */
    readonly status: "ok" | "warning" | "failed" | "skipped";
    readonly message: string;
    /** How to fix it. @default nothing to fix */
    readonly action?: string | undefined;
    /** The engine's own error output, for an operator. @default none */
    readonly details?: string | undefined;
  }[];
}

type PodmanCheck = PodmanDiagnosis["checks"][number];

/** Checks everything that a `PodmanSandboxSection` needs, and starts a container to do so. Reports what is missing. Never rejects. */
export async function diagnosePodman(
  options: Pick<
    PodmanConfig,
    "engine" | "connection" | "image" | "user" | "cpuLimit" | "memoryLimit" | "pidsLimit"
  > = {},
): Promise<PodmanDiagnosis> {
  const checks: PodmanCheck[] = [];
  try {
    const config = resolveConfig(options);
    const report = await config.engine.inspect(config.image);
    checks.push(...describeEngine(report, config));
    if (report.hasImage) checks.push(...describeContainer(await tryContainer(config, report)));
    else
      checks.push({
        name: "container",
        status: "skipped",
        message: "Not tested, because the image is missing.",
      });
  } catch (error) {
    const name = checks.length === 0 ? "engine" : "container";
    checks.push(failed(name, error));
  }
  return { usable: checks.every(({ status }) => status !== "failed"), checks };
}

function describeEngine(report: EngineReport, { engine, image }: ResolvedConfig): PodmanCheck[] {
  const { version, rootless, runtime, cgroupVersion, hasImage } = report;
  const missing = missingControllers(report);
  const groups = cgroupVersion === undefined ? "" : `, cgroup version ${cgroupVersion}`;
  return [
    {
      name: "engine",
      status: "ok",
      message: `${engine.name} ${version}, ${rootless ? "without root" : "as root"}.`,
    },
    { name: "runtime", status: "ok", message: `${runtime}${groups}.` },
    missing.length === 0
      ? {
          name: "limits",
          status: "ok",
          message: "The kernel can limit processors, memory and processes.",
        }
      : {
          name: "limits",
          status: rootless ? "warning" : "failed",
          message: `The cgroup controllers are missing for ${missing.join(", ")}, so the kernel does not enforce these limits.`,
          action: rootless
            ? "Use cgroup version 2 with delegation, or run as root, where these limits matter"
            : "Enable the controllers at boot",
        },
    hasImage
      ? { name: "image", status: "ok", message: `${image} is on this machine.` }
      : {
          name: "image",
          status: "failed",
          message: `${image} is not on this machine.`,
          action: imageMissing(image, engine.name).action,
        },
  ];
}

function describeContainer({ unenforced, hasPython, hasGit }: ContainerFacts): PodmanCheck[] {
  const closed: PodmanCheck = {
    name: "container",
    status: "ok",
    message:
      "A container started and is isolated: no network, no capabilities, no new privileges, a read-only root.",
  };
  const lacks = [...(hasPython ? [] : ["python3"]), ...(hasGit ? [] : ["git"])];
  return [
    closed,
    ...(unenforced.length === 0
      ? []
      : [
          {
            name: "limits",
            status: "warning",
            message: `In a container these limits are not enforced: ${unenforced.join(", ")}.`,
          } as const,
        ]),
    ...(lacks.length === 0
      ? []
      : [
          {
            name: "image",
            status: "warning",
            message: `It has no ${lacks.join(" and no ")}.`,
          } as const,
        ]),
  ];
}

async function tryContainer(config: ResolvedConfig, report: EngineReport): Promise<ContainerFacts> {
  const folder = await mkdtemp(join(tmpdir(), "wink-diagnose-"));
  try {
    const user = containerUser(config.user, report);
    const overlay = Overlay.create(folder, user);
    const { name } = overlay;
    const container = await SandboxContainer.start({
      ...{ config, report, overlay, user, name },
      mounts: [],
      onProgress: undefined,
    });
    await container.remove();
    return container.facts;
  } finally {
    await removeHostTree(folder);
  }
}

function failed(name: PodmanCheck["name"], error: unknown): PodmanCheck {
  if (isToolsError(error)) {
    const { subject, reason, action } = error;
    const details = error instanceof PodmanError ? error.details : undefined;
    return { name, status: "failed", message: `${subject}: ${reason}.`, action, details };
  }
  return { name, status: "failed", message: "The check failed for an unknown reason." };
}

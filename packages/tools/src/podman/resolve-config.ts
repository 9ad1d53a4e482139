import { CliEngine } from "./cli-engine.js";
import type { ContainerEngine } from "./container-engine.js";
import { DEFAULT_IMAGE, type PodmanConfig } from "./podman-config.js";
import { PodmanError } from "./podman-error.js";

/** A validated configuration with all defaults filled in. */
export interface ResolvedConfig {
  readonly image: string;
  readonly engine: ContainerEngine;
  readonly git: "hidden" | "read-only" | "copy";
  readonly cpuLimit: number;
  readonly memoryLimitBytes: number;
  readonly pidsLimit: number;
  readonly diskLimitBytes: number;
  readonly maxFiles: number;
  readonly networkEnabled: boolean;
  readonly timeoutMs: number;
  readonly maxLifetimeMs: number;
  readonly workspaceRoot: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly overlayRoot: string | undefined;
  readonly keepBackground: boolean;
  readonly rollbackOnFailure: boolean;
  readonly maxOutputBytes: number;
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  b: 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
};
const MIN_MEMORY_BYTES = 16 * 1024 ** 2;
const MAX_TIMEOUT_MS = 24 * 3_600_000;
/** A name such as `localhost/x:1`, optionally with a digest. It cannot begin with `-`, so it is never read as an option. */
const IMAGE = /^[A-Za-z0-9][\w.\-/:@]{0,300}$/;
const ROOT = /^(?:\/[A-Za-z0-9_][\w.-]*)+$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** System directories of a container. A workspace there would hide them. */
const TAKEN = [
  "/bin",
  "/dev",
  "/etc",
  "/lib",
  "/lib64",
  "/proc",
  "/run",
  "/sbin",
  "/sys",
  "/tmp",
  "/usr",
];

/** @throws PodmanError `INVALID_CONFIG` */
export function resolveConfig(config: PodmanConfig = {}): ResolvedConfig {
  const {
    image = DEFAULT_IMAGE,
    engine = "podman",
    connection,
    workspaceRoot = "/workspace",
    env = {},
    user,
    git = "hidden",
  } = config;
  require(IMAGE.test(image), "image must be a valid image name");
  require(ROOT.test(workspaceRoot), "workspaceRoot must be an absolute path such as /workspace");
  require(!TAKEN.some(
    (taken) => workspaceRoot === taken || workspaceRoot.startsWith(`${taken}/`),
  ), "workspaceRoot must not be in a system directory");
  require(["hidden", "read-only", "copy"].includes(git), "git must be hidden, read-only or copy");
  require(user === undefined ||
    /^[1-9]\d{0,8}(?::[1-9]\d{0,8})?$/.test(
      user,
    ), "user must be uid or uid:gid with numbers above 0");
  require(connection === undefined ||
    /^[\w.-]+$/.test(connection), "connection must be a connection name");
  for (const [name, value] of Object.entries(env)) {
    require(isVariable(name), `${JSON.stringify(name)} in env is not a valid variable name`);
    require(typeof value === "string" &&
      !value.includes("\0"), `${name} in env must be a string without NUL`);
  }
  require(engine !== "", "engine must be a program name");
  const { networkEnabled = false, keepBackground = false, rollbackOnFailure = false } = config;
  // A string such as "no" would be truthy.
  for (const [name, value] of Object.entries({ networkEnabled, keepBackground, rollbackOnFailure }))
    require(typeof value === "boolean", `${name} must be true or false`);
  const cpuLimit = config.cpuLimit ?? 1;
  require(Number.isFinite(cpuLimit) &&
    cpuLimit >= 0.01, "cpuLimit must be a number of at least 0.01");
  const memoryLimitBytes = bytesOf("memoryLimit", config.memoryLimit ?? "1g");
  require(memoryLimitBytes >= MIN_MEMORY_BYTES, "memoryLimit must be at least 16m");
  return Object.freeze({
    image,
    engine: typeof engine === "string" ? new CliEngine({ command: engine, connection }) : engine,
    git,
    cpuLimit,
    memoryLimitBytes,
    pidsLimit: whole("pidsLimit", config.pidsLimit ?? 256, 8, 1_000_000),
    diskLimitBytes: bytesOf("diskLimit", config.diskLimit ?? "2g"),
    maxFiles: whole("maxFiles", config.maxFiles ?? 200_000, 1, 10_000_000),
    networkEnabled,
    timeoutMs: whole("timeoutMs", config.timeoutMs ?? 120_000, 1, MAX_TIMEOUT_MS),
    maxLifetimeMs: whole("maxLifetimeMs", config.maxLifetimeMs ?? 3_600_000, 1_000, 2 ** 40),
    workspaceRoot,
    env: Object.freeze({ ...env }),
    user,
    overlayRoot: config.overlayRoot,
    keepBackground,
    rollbackOnFailure,
    maxOutputBytes: whole("maxOutputBytes", config.maxOutputBytes ?? 8 * 1024 ** 2, 1_024, 2 ** 28),
  });
}

/** Whether a shell accepts it as the name of a variable. */
export function isVariable(name: string): boolean {
  return VARIABLE.test(name);
}

function bytesOf(name: string, value: number | string): number {
  const [, digits = "", unit = ""] = /^(\d+)([bkmg]?)$/i.exec(String(value)) ?? [];
  const bytes = digits === "" ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
  require(Number.isSafeInteger(bytes) &&
    bytes > 0, `${name} must be a number of bytes, or a size such as 512m`);
  return bytes;
}

function whole(name: string, value: number, least: number, most: number): number {
  const isFit = Number.isSafeInteger(value) && value >= least && value <= most;
  require(isFit, `${name} must be a whole number from ${least} to ${most}`);
  return value;
}

function require(holds: boolean, problem: string): void {
  if (!holds) throw new PodmanError("INVALID_CONFIG", problem);
}

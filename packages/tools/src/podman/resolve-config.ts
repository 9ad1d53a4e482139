import { checkOptions, invalidOption, type OptionKinds } from "../error/check-options.js";
import { CliEngine } from "./cli-engine.js";
import type { ContainerEngine } from "./container-engine.js";
import { DEFAULT_IMAGE, type PodmanConfig } from "./podman-config.js";

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

const KINDS: OptionKinds<PodmanConfig> = {
  image: "string",
  mounts: "objects",
  allowedHostRoots: "strings",
  git: "string",
  cpuLimit: "any",
  memoryLimit: "any",
  pidsLimit: "any",
  diskLimit: "any",
  maxFiles: "any",
  networkEnabled: "boolean",
  timeoutMs: "any",
  maxLifetimeMs: "any",
  workspaceRoot: "string",
  env: "object",
  user: "string",
  engine: "string",
  connection: "string",
  toolPrefix: "string",
  overlayRoot: "string",
  keepBackground: "boolean",
  rollbackOnFailure: "boolean",
  maxOutputBytes: "any",
  onProgress: "function",
};

/** @throws ToolsError `INVALID_OPTION` */
export function resolveConfig(config: PodmanConfig = {}): ResolvedConfig {
  checkOptions("config", config, KINDS);
  const { image = DEFAULT_IMAGE, engine = "podman", connection, user, git = "hidden" } = config;
  const { workspaceRoot = "/workspace", env = {}, overlayRoot, cpuLimit = 1 } = config;
  require(IMAGE.test(image), "image", "it must be a valid image name");
  require(ROOT.test(
    workspaceRoot,
  ), "workspaceRoot", "it must be an absolute path such as /workspace");
  require(!TAKEN.some(
    (taken) => workspaceRoot === taken || workspaceRoot.startsWith(`${taken}/`),
  ), "workspaceRoot", "it must not be in a system directory");
  require(["hidden", "read-only", "copy"].includes(
    git,
  ), "git", "it must be hidden, read-only or copy");
  const isUser = user === undefined || /^[1-9]\d{0,8}(?::[1-9]\d{0,8})?$/.test(user);
  require(isUser, "user", "it must be uid or uid:gid with numbers above 0");
  const isName = connection === undefined || /^[\w.-]+$/.test(connection);
  require(isName, "connection", "it must be a connection name");
  for (const [name, value] of Object.entries(env)) {
    require(isVariable(name), "env", `${JSON.stringify(name)} is not a valid variable name`);
    const isText = typeof value === "string" && !value.includes("\0");
    require(isText, `env.${name}`, "it must be a string without NUL");
  }
  require(engine !== "", "engine", "it must be a program name");
  require(Number.isFinite(cpuLimit) &&
    cpuLimit >= 0.01, "cpuLimit", "it must be a number of at least 0.01");
  const memoryLimitBytes = bytesOf("memoryLimit", config.memoryLimit ?? "1g");
  require(memoryLimitBytes >= MIN_MEMORY_BYTES, "memoryLimit", "it must be at least 16m");
  return Object.freeze({
    ...{ image, git, cpuLimit, memoryLimitBytes, workspaceRoot, user, overlayRoot },
    engine: new CliEngine({ command: engine, connection }),
    pidsLimit: whole("pidsLimit", config.pidsLimit ?? 256, 8, 1_000_000),
    diskLimitBytes: bytesOf("diskLimit", config.diskLimit ?? "2g"),
    maxFiles: whole("maxFiles", config.maxFiles ?? 200_000, 1, 10_000_000),
    timeoutMs: whole("timeoutMs", config.timeoutMs ?? 120_000, 1, MAX_TIMEOUT_MS),
    maxLifetimeMs: whole("maxLifetimeMs", config.maxLifetimeMs ?? 3_600_000, 1_000, 2 ** 40),
    env: Object.freeze({ ...env }),
    networkEnabled: config.networkEnabled ?? false,
    keepBackground: config.keepBackground ?? false,
    rollbackOnFailure: config.rollbackOnFailure ?? false,
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
  const isSize = Number.isSafeInteger(bytes) && bytes > 0;
  require(isSize, name, "it must be a number of bytes, or a size such as 512m");
  return bytes;
}

function whole(name: string, value: number, least: number, most: number): number {
  const isFit = Number.isSafeInteger(value) && value >= least && value <= most;
  require(isFit, name, `it must be a whole number from ${least} to ${most}`);
  return value;
}

function require(holds: boolean, name: string, reason: string): void {
  if (!holds) throw invalidOption(`config.${name}`, reason);
}

import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { VirtualPath } from "../../path/virtual-path.js";
import { openHostRoot } from "../containment/open-host-root.js";
import { hostDriver } from "../driver/host-driver.js";
import { sweepTemporaries } from "../driver/sweep-temporaries.js";
import { type SnapshottingHostDriver, withSnapshots } from "../open/with-snapshots.js";

export const SCENARIOS = [
  "write",
  "snapshot",
  "restore",
  "delete",
  "transaction",
  "rollback",
  "full",
  "decided",
  "decided-full",
] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface Place {
  readonly workspace: string;
  readonly storeDirectory: string;
}

export function placeIn(directory: string): Place {
  return { workspace: join(directory, "workspace"), storeDirectory: join(directory, "store") };
}

/** Opens the workspace like a user does, which also recovers unfinished work. */
export async function open({ workspace, storeDirectory }: Place): Promise<SnapshottingHostDriver> {
  const root = openHostRoot(workspace);
  await sweepTemporaries(root);
  return await withSnapshots(hostDriver(root, { fsync: false }), root, {
    storeDirectory,
    fsync: false,
  });
}

/** Creates two snapshots, `first` and `second`, and a workspace that differs from both. */
export async function prepare(place: Place): Promise<void> {
  const { workspace } = place;
  const put = (path: string, content: string) => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), content);
  };
  put("a", "first a");
  put("folder/b", "first b");
  put("folder/deep/c", "first c");
  put("becomes-folder", "file");
  put("goes/x", "x");
  symlinkSync("a", join(workspace, "link"));
  const driver = await open(place);
  await driver.snapshots.create({ name: "first" });
  put("a", "second a");
  put("large", "l".repeat(70_000));
  await driver.snapshots.create({ name: "second" });
  put("folder/b", "third b");
  put("new/n", "third n");
  chmodSync(join(workspace, "folder/deep/c"), 0o755);
  await driver.close();
}

/** Runs the operation that is interrupted. */
export async function run(place: Place, scenario: Scenario): Promise<void> {
  const driver = await open(place);
  try {
    await interrupted(driver, scenario, join(place.storeDirectory, "decision"));
  } finally {
    await driver.close();
  }
}

async function interrupted(
  driver: SnapshottingHostDriver,
  scenario: Scenario,
  decision: string,
): Promise<void> {
  const { snapshots } = driver;
  const named = async (name: string) => {
    const found = (await snapshots.list()).find((snapshot) => snapshot.name === name);
    if (found === undefined) throw new Error(`snapshot ${name} does not exist`);
    return found;
  };
  const bytes = Buffer.from("written in the scenario");
  const path = (text: string) => text as VirtualPath;
  const change = async () => {
    driver.write(path("a"), bytes, "overwrite");
    driver.write(path("folder/made"), bytes, "create");
    await driver.accelerate.removeTree(path("goes"));
    driver.accelerate.rename(path("folder"), path("moved"));
    driver.mkdir(path("folder"));
    driver.write(path("folder/b"), bytes, "create");
    await driver.remove(path("link"));
  };
  if (scenario === "write") driver.write(path("a"), bytes, "overwrite");
  else if (scenario === "snapshot") await snapshots.create({ name: "third" });
  else if (scenario === "restore") await snapshots.restore(await named("first"));
  else if (scenario === "delete") await snapshots.delete([await named("first")]);
  else {
    const isDecided = scenario.startsWith("decided");
    const full = scenario.endsWith("full");
    const committedBy = { file: decision, line: "committed" };
    const transaction = await snapshots.begin(isDecided ? { full, committedBy } : { full });
    await change();
    if (isDecided) writeFileSync(decision, "committed\n");
    if (isDecided || scenario === "transaction") await transaction.commit();
    else await transaction.rollback();
  }
}

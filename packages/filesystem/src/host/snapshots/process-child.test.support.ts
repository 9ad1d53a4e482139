import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, placeIn } from "./crash-scenarios.test.support.js";

/** Runs snapshot, diff and restore for a test that counts the started processes. */
const [directory = ""] = process.argv.slice(2);
const place = placeIn(directory);
const driver = await open(place);
const first = await driver.snapshots.create({});
writeFileSync(join(place.workspace, "nested/file"), "changed");
const before = await driver.snapshots.view(first);
const after = await driver.snapshots.view(undefined);
const unlike = before.entriesUnlike?.(after);
for await (const entry of unlike?.mine ?? []) await entry.read();
await driver.snapshots.restore(first);
await driver.snapshots.delete([first]);
await driver.close();
console.log("done");

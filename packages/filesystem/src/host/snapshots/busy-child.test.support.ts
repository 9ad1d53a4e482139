import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, placeIn } from "./crash-scenarios.test.support.js";

/** Creates and deletes snapshots while another process does the same. */
const [directory = "", name = "", rounds = "0"] = process.argv.slice(2);
const place = placeIn(directory);
const driver = await open(place);
for (let round = 0; round < Number(rounds); round++) {
  writeFileSync(join(place.workspace, name), `${name} ${round}`);
  const snapshot = await driver.snapshots.create({ tag: name });
  if (round % 4 === 3) await driver.snapshots.delete([snapshot]);
}
await driver.close();
console.log("done");

// Takes the pictures of README.md from a run that it records: `pnpm --filter @wink/inspector pictures`.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openBrowser, settle } from "./browser.test.support.js";
import { exportRuns, scratch } from "./exported-page.test.support.js";
import { recordShowcase } from "./record-showcase.test.support.js";

/** How long the scripted model thinks, so that the timeline looks like that of a real model. */
const THINKING_MS = [420, 260, 310, 90, 380, 240, 450, 330, 280, 360, 520];

const folder = fileURLToPath(new URL("../../../../docs/images", import.meta.url));
mkdirSync(folder, { recursive: true });
using directory = scratch();
let asks = 0;
const run = await recordShowcase(directory.path, {
  onAsk: () => setTimeout(THINKING_MS[asks++ % THINKING_MS.length]),
});
const address = await exportRuns(directory.path, [run]);
const browser = await openBrowser();
for (const colorScheme of ["light", "dark"] as const) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme });
  await page.goto(address);
  await page.waitForSelector(".row");
  await settle(page);
  await page.screenshot({ path: join(folder, `inspector-${colorScheme}.png`) });
}
await browser.close();
console.log("pictures: docs/images/inspector-light.png, docs/images/inspector-dark.png");

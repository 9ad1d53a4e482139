import { readdirSync } from "node:fs";
import { createFilesystem } from "../../wrap/create-filesystem.js";
import { openHostDriver } from "../open/open-host-driver.js";

/** Searches a directory and prints the matches and the number of descriptors that stay open. */
const [root = "", end = ""] = process.argv.slice(2);
const driver = await openHostDriver(root, { sweep: false });
const fs = createFilesystem(driver);
const openDescriptors = () => readdirSync("/proc/self/fd").length;
const before = openDescriptors();
const found: number[] = [];
for (let time = 0; time < 3; time++)
  found.push((await fs.grep("needle", { maxMatches: 5 })).length);
const kept = openDescriptors() - before;
// Missing in the types of the oldest supported Node version.
const { permission } = process as { permission?: { has(scope: string): boolean } };
console.log(JSON.stringify({ found, kept, mayHaveThreads: permission?.has("worker") ?? true }));
if (end === "close") driver.close();

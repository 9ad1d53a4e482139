import { expect, it } from "vitest";
import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";

const many = Array.from({ length: 1_000 }, (_, index) => String(index).padStart(4, "0"));

it("a memory search finds the same whichever files the walk skipped (FS-43, FS-47, FS-48)", async () => {
  const files = Object.fromEntries(
    many.map((name, index) => [
      `${index % 7}/${name}`,
      index % 90 === 0 ? `\0${name}` : `this is ${name}`,
    ]),
  );
  const fs = new InMemoryFilesystem({ files });
  const wanted = many.filter((name, index) => index % 90 !== 0 && name.endsWith("77"));
  const found = await fs.grep("is \\d\\d77");
  expect(found.map(({ path }) => path.slice(2)).sort()).toEqual(wanted);
  expect(found.skippedCount).toBe(Math.ceil(many.length / 90));
});

it("a memory search without matches lets the event loop run", async () => {
  const text = "nothing to see here\n".repeat(5_000);
  const files = Object.fromEntries(many.map((name) => [`0/${name}`, `${text}${name}`]));
  const fs = new InMemoryFilesystem({ files });
  // Two gigabytes, which take many turns of the event loop on every machine. Shared strings take a twentieth of that
  // memory.
  for (let copy = 1; copy < 20; copy++) await fs.copy("0", String(copy));
  let turns = 0;
  const turning = setInterval(() => turns++, 0);
  expect(await fs.grep("needle")).toHaveLength(0);
  clearInterval(turning);
  expect(turns).toBeGreaterThan(0);
});

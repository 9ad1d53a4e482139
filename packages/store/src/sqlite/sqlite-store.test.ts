import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { storeContract } from "../testing/store-contract.js";
import { openDatabase, SqliteConnection } from "./sqlite-database.js";
import { isAtLeast } from "./sqlite-file.js";
import { sqliteStore } from "./sqlite-store.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "wink-sqlite-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

storeContract("SQLite", () => sqliteStore(path.join(folder, "runs.db"), { synchronous: "normal" }));

describe("sqliteStore", () => {
  it("uses an open database with its own table names, and leaves it open (STO-26)", async () => {
    const database = await openDatabase(":memory:");
    const store = sqliteStore(database, { tablePrefix: "mine_" });
    const writer = await store.open("a");
    await writer.commit({ events: [Uint8Array.of(1)] });
    await writer.close();
    await store.close();
    const rows = new SqliteConnection(database).all("SELECT key FROM mine_head");
    expect(rows).toHaveLength(1);
    database.close();
  });

  it("refuses tables of a newer version and wrong options (STO-26)", async () => {
    const database = await openDatabase(":memory:");
    await sqliteStore(database).read("a");
    database.exec("UPDATE wink_meta SET value = 99");
    await expect(sqliteStore(database).read("a")).rejects.toMatchObject({
      code: "ARGUMENT_INVALID",
      message:
        "store 'sqlite': its tables have version 99, this package knows 2. Update @wink/store.",
    });
    expect(() => sqliteStore("a.db", { tablePrefix: "x; DROP" })).toThrow(
      "tablePrefix: use letters",
    );
    database.close();
  });

  it("says that a file cannot be opened, or is something else (STO-30)", async () => {
    const missing = await sqliteStore(path.join(folder, "no", "such", "runs.db"))
      .read("a")
      .catch((error: Error) => error);
    expect(missing).toMatchObject({ code: "ARGUMENT_INVALID" });
    expect(String(missing)).toContain("the file cannot be opened. Check that its directory exists");
    expect(String(missing)).not.toContain(folder);
    const text = path.join(folder, "notes.txt");
    await writeFile(text, "notes\n".repeat(1000));
    await expect(sqliteStore(text).read("a")).rejects.toMatchObject({
      message: "store 'sqlite': the file is not a SQLite database.",
    });
  });

  it("brings tables of an older version up to date (STO-26)", async () => {
    const database = await openDatabase(":memory:");
    const writer = await sqliteStore(database).open("a");
    await writer.commit({ state: Uint8Array.of(1, 2), delta: Uint8Array.of(3) });
    // The tables of version 1 had the state in the row of the head.
    database.exec(`UPDATE wink_head SET state = (SELECT bytes FROM wink_state);
      DROP TABLE wink_state; UPDATE wink_meta SET value = 1`);
    const head = await sqliteStore(database).read("a");
    expect([...(head?.state ?? [])]).toEqual([1, 2]);
    expect(head?.deltas).toHaveLength(1);
    const [row] = new SqliteConnection(database).all("SELECT state FROM wink_head");
    expect(row?.["state"]).toBeNull();
    database.close();
  });

  it("uses the write-ahead log only where it is safe for several processes (STO-27)", async () => {
    const file = path.join(folder, "many.db");
    const many = sqliteStore(file);
    await many.read("a");
    const database = new SqliteConnection(await openDatabase(file));
    const version = String(database.get("SELECT sqlite_version() AS v")?.["v"]);
    const isSafe = isAtLeast(version, [3, 51, 3]);
    const [mode] = database.all("PRAGMA journal_mode");
    expect(mode?.["journal_mode"] === "wal").toBe(isSafe);
    database.close();
    await many.close();

    const one = sqliteStore(path.join(folder, "one.db"), { processes: "one" });
    await one.read("a");
    const other = sqliteStore(path.join(folder, "one.db"), { processes: "one", timeoutMs: 1 });
    const refused = await other.read("a").then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    expect(refused).toBe(isSafe ? undefined : "UNREACHABLE");
    await one.close();
    expect(await other.read("a")).toBeUndefined();
    await other.close();
    expect(isAtLeast("3.51.3", [3, 51, 3])).toBe(true);
    expect(isAtLeast("3.45.1", [3, 51, 3])).toBe(false);
    expect(isAtLeast("4.0", [3, 51, 3])).toBe(true);
  });

  it("reports a flipped byte of a content as damage (STO-11, J244)", async () => {
    const database = await openDatabase(":memory:");
    const store = sqliteStore(database);
    const writer = await store.open("a");
    const batch = await writer.place([{ bytes: Uint8Array.of(1, 2, 3) }]);
    await writer.commit({ blobs: [batch] });
    database.exec("UPDATE wink_blob SET data = x'010203ff'");
    await expect(writer.read(batch.refs)).rejects.toMatchObject({ code: "CORRUPT_BLOB" });
    database.exec("DELETE FROM wink_blob");
    await expect(writer.read(batch.refs)).rejects.toMatchObject({ code: "MISSING_BLOB" });
    database.close();
  });
});

import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PostgresServer, postgresProgram } from "../servers/postgres-server.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { storeContract } from "../testing/store-contract.js";
import { postgresStore } from "./postgres-store.js";

if (isAvailable("PostgreSQL", process.env["WINK_POSTGRES_URL"] ?? postgresProgram)) {
  let server: PostgresServer | undefined;
  let url = process.env["WINK_POSTGRES_URL"] ?? "";
  let pool: pg.Pool;
  beforeAll(async () => {
    if (url === "") {
      server = await PostgresServer.start(["fsync=off"]);
      url = server.url;
    }
    pool = new pg.Pool({ connectionString: url, max: 10 });
    pool.on("error", () => {});
  });
  afterAll(async () => {
    await pool.end();
    await server?.[Symbol.asyncDispose]();
  });

  storeContract("PostgreSQL", () => postgresStore(pool));

  describe("postgresStore", () => {
    it("opens its own connections, in its own schema and tables (STO-26)", async () => {
      const store = postgresStore(url, {
        schema: "wink_test",
        tablePrefix: "my_",
        maxConnections: 2,
      });
      await Promise.all([
        store.read("a"),
        postgresStore(pool, { schema: "wink_test", tablePrefix: "my_" }).read("a"),
      ]);
      const writer = await store.open("a");
      await writer.commit({ events: [Uint8Array.of(1)] });
      await writer.close();
      await store.close();
      const { rows } = await pool.query("SELECT version FROM wink_test.my_head");
      expect(rows).toEqual([{ version: "1" }]);
      await pool.query("UPDATE wink_test.my_meta SET value = 99");
      await expect(
        postgresStore(pool, { schema: "wink_test", tablePrefix: "my_" }).read("a"),
      ).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
      expect(() => postgresStore(pool, { schema: "a.b" })).toThrow("schema: use lower case");
      await pool.query("DROP SCHEMA wink_test CASCADE");
    });

    it("runs further statements in the transaction of a commit, or none (STO-28)", async () => {
      const store = postgresStore(pool);
      await pool.query("CREATE TABLE IF NOT EXISTS request (id text PRIMARY KEY)");
      const writer = await store.open("with-statements");
      const statement = { text: "INSERT INTO request VALUES ($1)", values: ["r1"] };
      await writer.commit({ events: [Uint8Array.of(1)], statements: [statement] });
      expect((await pool.query("SELECT id FROM request")).rows).toEqual([{ id: "r1" }]);
      const wrong = { text: "INSERT INTO request_that_is_missing VALUES (1)" };
      const second = { text: "INSERT INTO request VALUES ('r2')" };
      await expect(
        writer.commit({ events: [Uint8Array.of(2)], statements: [second, wrong] }),
      ).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
      expect((await pool.query("SELECT id FROM request")).rows).toEqual([{ id: "r1" }]);
      for (const odd of [Symbol("a"), { text: 1 }, { text: "SELECT 1", values: 1 }] as never[])
        await expect(writer.commit({ statements: [odd] })).rejects.toMatchObject({
          code: "ARGUMENT_INVALID",
        });
      expect((await store.read("with-statements"))?.version).toBe(1);
      const taken = await store.open("with-statements", { takeOver: "always" });
      await expect(writer.commit({ statements: [second] })).rejects.toMatchObject({
        code: "LEASE_LOST",
      });
      expect((await pool.query("SELECT id FROM request")).rows).toEqual([{ id: "r1" }]);
      await taken.close();
      await pool.query("DROP TABLE request");
    });

    it("prunes by the clock of the server (STO-23, J241)", async () => {
      const store = postgresStore(pool).tenant("clock");
      await (await store.open("new")).close();
      const { now } = Date;
      const skewed = vi.spyOn(Date, "now").mockImplementation(() => now() + 86_400_000);
      expect(await store.prune({ maxAgeMs: 3_600_000 })).toMatchObject({ deleted: [], kept: 1 });
      skewed.mockRestore();
    });

    it("waits for a free connection of a small pool (STO-29, J250)", async () => {
      const store = postgresStore(url, { maxConnections: 2 });
      const reads = Array.from({ length: 60 }, () => store.read("nothing"));
      expect((await Promise.all(reads)).every((head) => head === undefined)).toBe(true);
      await store.close();
    });

    it("refuses a client that is not a pool, and a URL that is not valid (STO-7)", async () => {
      const client = new pg.Client({ connectionString: url });
      await expect(postgresStore(client as never).open("a")).rejects.toThrow("got a Client");
      await client.end();
      const wrong = postgresStore("postgres://a:hunter2@[::1/b").open("a");
      await expect(wrong).rejects.toThrow("store 'postgres': the URL is not valid.");
      await expect(wrong).rejects.not.toHaveProperty("cause");
    });

    it("has no credentials and no address in its errors (STO-30, J248)", async () => {
      const secret = "postgres://wink:hunter2@127.0.0.1:1/x";
      const store = postgresStore(secret, { timeoutMs: 50 });
      const error = await store.open("a").catch((reason: Error) => reason);
      expect(error).toMatchObject({ code: "UNREACHABLE" });
      expect(String(error)).not.toMatch(/hunter2|127\.0\.0\.1/);
      await store.close();
    });
  });
}

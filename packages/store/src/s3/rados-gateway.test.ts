import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RadosGateway, radosProgram } from "../servers/rados-gateway.test.support.js";
import { isAvailable } from "../servers/required.test.support.js";
import { storeContract } from "../testing/store-contract.js";
import { s3Store } from "./s3-store.js";

// The server takes long to start, so it belongs to the long form.
const isWanted = process.env["WINK_RADOS"] === "1" && isAvailable("radosgw", radosProgram);

describe.skipIf(!isWanted)("a real S3 server", () => {
  let server: RadosGateway;
  beforeAll(async () => {
    server = await RadosGateway.start();
  }, 120_000);
  afterAll(() => server[Symbol.asyncDispose]());

  const open = () =>
    s3Store({ bucket: "runs", endpoint: server.url, credentials: server.credentials });

  storeContract("radosgw", open);

  it("has conditional writes that stop all but one of several writers (STO-33, J235)", async () => {
    const stores = Array.from({ length: 8 }, open);
    const opened = await Promise.allSettled(stores.map((store) => store.open("race")));
    const writers = opened.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    expect(writers.length).toBeGreaterThan(0);
    const commits = await Promise.allSettled(
      writers.map((writer, index) => writer.commit({ events: [Buffer.from(String(index))] })),
    );
    const done = commits.filter(({ status }) => status === "fulfilled").length;
    expect((await open().read("race"))?.counts.events).toBe(done);
    for (const writer of writers) await writer.close().catch(() => {});
  });
});

import { filesystemContract } from "../testing/filesystem-contract.js";
import { mapDriver, slowDriver } from "../testing/map-driver.test.support.js";
import { createFilesystem } from "./create-filesystem.js";

// The contract must hold with only the six methods (FS-74).
filesystemContract("a driver with six methods", (options) =>
  createFilesystem(mapDriver(), options),
);

filesystemContract("a driver with six asynchronous methods", (options) =>
  createFilesystem(slowDriver(mapDriver()), options),
);

filesystemContract("a driver with six methods that returns Buffers", (options) => {
  const driver = mapDriver();
  const read: typeof driver.read = async (...range) => Buffer.from(await driver.read(...range));
  return createFilesystem({ ...driver, read }, options);
});

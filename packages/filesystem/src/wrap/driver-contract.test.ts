import { filesystemContract } from "../testing/filesystem-contract.js";
import { mapDriver, slowDriver } from "../testing/map-driver.test.support.js";
import { createFilesystem } from "./create-filesystem.js";

// What six methods over a Map give is all that is promised (FS-74).
filesystemContract("a driver of six methods", (options) => createFilesystem(mapDriver(), options));

filesystemContract("a driver of six methods that answer later", (options) =>
  createFilesystem(slowDriver(mapDriver()), options),
);

filesystemContract("a driver of six methods that hands out Buffers", (options) => {
  const driver = mapDriver();
  const read: typeof driver.read = async (...range) => Buffer.from(await driver.read(...range));
  return createFilesystem({ ...driver, read }, options);
});

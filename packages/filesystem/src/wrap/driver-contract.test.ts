import { createFilesystem } from "../backend/create-filesystem.js";
import { filesystemContract } from "../testing/filesystem-contract.js";
import { linkDriver, mapDriver, slowDriver } from "../testing/map-driver.test.support.js";

const GAPS = {
  links: "the map stores no symbolic links",
  modes: "the map stores only whether a file is executable",
  times: "the map stores no times",
};

// The contract must hold with only the six methods (FS-74).
filesystemContract(
  "a driver with six methods",
  (options) => createFilesystem(mapDriver(), options),
  GAPS,
);

filesystemContract("a driver with six asynchronous methods and links", (options) =>
  createFilesystem(slowDriver(linkDriver()), options),
);

// The plain test command leaves out what differs little from these two.
if (process.env["WINK_MORE_ROUNDS"] !== undefined) {
  filesystemContract(
    "a driver with six asynchronous methods",
    (options) => createFilesystem(slowDriver(mapDriver()), options),
    GAPS,
  );

  filesystemContract(
    "a driver with six methods that returns Buffers",
    (options) => {
      const driver = mapDriver();
      const read: typeof driver.read = async (...range) => Buffer.from(await driver.read(...range));
      return createFilesystem({ ...driver, read }, options);
    },
    GAPS,
  );

  filesystemContract("a driver with six methods and links", (options) =>
    createFilesystem(linkDriver(), options),
  );
}

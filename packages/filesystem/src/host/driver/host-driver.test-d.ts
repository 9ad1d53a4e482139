import { expectTypeOf } from "vitest";
import type { FilesystemDriver } from "../../driver/driver.js";
import type { DriverAccelerators } from "../../driver/driver-accelerators.js";
import type { Filesystem } from "../../protocol/filesystem.js";
import { HostFilesystem } from "../open/host-filesystem.js";
import type { HostDriver } from "./host-driver.js";

// The host driver has every accelerator except `contentId`, `countsUsage` and `writeText`.
type Optional = Exclude<
  keyof DriverAccelerators,
  "contentId" | "countsUsage" | "writeText" | keyof HostDriver["accelerate"]
>;
expectTypeOf<Optional>().toEqualTypeOf<never>();
expectTypeOf<HostDriver>().toExtend<FilesystemDriver>();
expectTypeOf<HostFilesystem>().toExtend<Filesystem & AsyncDisposable>();
expectTypeOf(HostFilesystem.open).returns.resolves.toEqualTypeOf<HostFilesystem>();

// @ts-expect-error Opening is asynchronous, so the constructor is private.
new HostFilesystem();

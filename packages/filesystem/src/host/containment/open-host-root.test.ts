import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hostDriver } from "../driver/host-driver.js";
import {
  at,
  makePlaces,
  openDescriptors,
  SECRET,
  textOf,
} from "../driver/host-fixture.test.setup.js";
import { openHostDriver } from "../open/open-host-driver.test.support.js";
import {
  type Containment,
  plainPathContainment,
  platformContainment,
  procContainment,
} from "./containment.js";
import { networkFilesystemOfType } from "./filesystem-kind.js";
import { HostRoot } from "./host-root.js";
import { probeContainment } from "./probe-containment.js";

/** A platform without any protection. */
const followsLinks: Containment = {
  name: "nothing",
  raceProof: true,
  noFollowFlag: 0,
  prefix: (_fd, path) => `${path}/`,
};
const withoutProc: Containment = { ...procContainment, prefix: (fd) => `/no-proc/self/fd/${fd}/` };

describe("opening", () => {
  it("is refused if links would be followed (K258)", async () => {
    const { root } = makePlaces();
    await expect(openHostDriver(root, { containment: followsLinks })).rejects.toMatchObject({
      code: "EACCES",
      message: "EACCES: open '.': symbolic links are followed despite nothing.",
    });
  });

  it("with a containment that follows links reads the secret, so these tests can fail (A29, A30)", () => {
    const { root, outside } = makePlaces();
    symlinkSync(outside, join(root, "link"));
    const driver = hostDriver(new HostRoot(root, followsLinks));
    expect(textOf(driver.accelerate.load(at("link/secret.txt"), 1_000))).toBe(SECRET);
    driver.close();
  });

  it("is refused if /proc is missing (K258)", async () => {
    const { root } = makePlaces();
    const before = openDescriptors();
    await expect(openHostDriver(root, { containment: withoutProc })).rejects.toMatchObject({
      code: "EACCES",
      message: "EACCES: open '.': /proc/self/fd cannot be used (ENOENT).",
    });
    expect(openDescriptors()).toBe(before);
  });

  it("is refused if only the weaker protection is available, unless that is allowed (K258)", async () => {
    const { root } = makePlaces();
    const containment = plainPathContainment;
    await expect(openHostDriver(root, { containment })).rejects.toThrow(
      /EACCES: .* O_NOFOLLOW_ANY does not protect against concurrent changes/,
    );
    const driver = await openHostDriver(root, { containment, weakContainment: "allow" });
    driver.close();
  });

  it.each([
    { platform: "linux", containment: procContainment },
    { platform: "darwin", containment: plainPathContainment },
    { platform: "win32", containment: undefined },
  ] as const)(
    "on $platform uses the containment of the platform (K258)",
    ({ platform, containment }) => {
      expect(platformContainment(platform)).toBe(containment);
    },
  );

  it("accepts this platform's protection (K258)", () => {
    expect(probeContainment(procContainment)).toBeUndefined();
  });

  it.each([
    { type: 0x6969, name: "NFS" },
    { type: 0xff534d42, name: "CIFS" },
    { type: 0xff534d42 | 0, name: "CIFS" },
    { type: 0x01021997, name: "9P" },
    { type: 0xef53, name: undefined },
    { type: 0x01021994, name: undefined },
  ])("recognises the filesystem $type as $name (K257)", ({ type, name }) => {
    expect(networkFilesystemOfType(type)).toBe(name);
  });

  it("fails for a missing path and for a file, and the message has the name and not the path (FS-65, FS-66)", async () => {
    const { root } = makePlaces();
    writeFileSync(join(root, "file"), "");
    await expect(openHostDriver(join(root, "file"))).rejects.toThrow(
      "ENOTDIR: open 'file': it is not a directory.",
    );
    rmSync(join(root, "file"));
    await expect(openHostDriver(join(root, "file"))).rejects.toThrow(
      "ENOENT: open 'file': no such file or directory.",
    );
  });
});

import { statfsSync } from "node:fs";

/** The keys are the `f_type` numbers of `statfs`. */
const NETWORK_FILESYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x5346414f, "AFS"],
  [0x73757245, "Coda"],
]);

/** The name of the network filesystem that contains `path`, or `undefined` if it is not a known one. */
export function networkFilesystem(path: string): string | undefined {
  return networkFilesystemOfType(statfsSync(path).type);
}

export function networkFilesystemOfType(type: number): string | undefined {
  // Some kernels return the number as a negative one.
  return NETWORK_FILESYSTEMS.get(type >>> 0);
}

/** Filesystems on which a read returns fewer bytes than requested only at the end of the file. */
const WHOLE_READS: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x01021994, // tmpfs
  0x794c7630, // OverlayFS
]);

/** Whether the filesystem of `path` is known to return short reads only at the end of a file. */
export function readsWhole(path: string): boolean {
  return process.platform === "linux" && WHOLE_READS.has(statfsSync(path).type >>> 0);
}

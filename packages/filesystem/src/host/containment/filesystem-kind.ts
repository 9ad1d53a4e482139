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

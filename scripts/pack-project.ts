import path from "node:path";
import { type Project, root } from "./repository.js";
import { runCommand } from "./run-command.js";

/** The output of `pnpm pack --json`. */
export interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** Makes the tarball that would be published. Throws with pnpm's output if that fails. */
export async function packProject({ folder }: Project, destination: string): Promise<Packed> {
  const args = ["pack", "--json", "--pack-destination", destination];
  const { ok, output, stdout } = await runCommand("pnpm", args, { cwd: path.join(root, folder) });
  if (!ok) throw new Error(`${folder} cannot be packed:\n${output}`);
  // The format of the pnpm that package.json pins.
  return JSON.parse(stdout) as Packed;
}

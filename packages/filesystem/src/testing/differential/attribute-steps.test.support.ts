import type { Random } from "./random.test.support.js";
import type { Step } from "./random-step.test.support.js";
import type { ReferenceFilesystem } from "./reference-filesystem.test.support.js";

export function statStep(random: Random, path: string): Step {
  const followLinks = random.chance(0.6);
  let known: ReturnType<ReferenceFilesystem["stat"]> | undefined;
  return {
    says: `stat ${JSON.stringify([path, followLinks])}`,
    model(model) {
      known = model.stat(path, followLinks);
      return known;
    },
    async real(fs) {
      const stat = await fs.stat(path, { followLinks });
      const { kind, sizeBytes, identity, mode, modifiedAt } = stat;
      if (kind === "symlink") return { kind, sizeBytes, identity };
      if (identity === "") return { kind, sizeBytes, identity };
      // A time that the model does not know is not compared.
      return { kind, sizeBytes, identity, mode, time: known?.time && modifiedAt };
    },
  };
}

const TARGETS = [
  "a",
  "b",
  "c",
  "dir",
  "../a",
  "a/b",
  "..",
  "/a",
  ".",
  "dir/../b",
  "nowhere",
  "./c//a",
];

export function linkStep(random: Random, path: string): Step {
  const target = random.pick(TARGETS);
  const createParents = random.chance(0.8);
  return {
    says: `symlink ${JSON.stringify([target, path, createParents])}`,
    model: (model) => model.symlink(target, path, createParents),
    real: (fs) => fs.symlink(target, path, { createParents }),
  };
}

export function attributeStep(random: Random, path: string): Step {
  const mode = random.pick([0o600, 0o644, 0o755, 0o444]);
  const time = new Date(random.below(0xffff_ffff) * 1000 + random.below(1000)).toISOString();
  return random.chance(0.5)
    ? {
        says: `chmod ${JSON.stringify([path, mode])}`,
        model: (model) => model.setAttribute(path, { mode }),
        real: (fs) => fs.chmod(path, mode),
      }
    : {
        says: `utimes ${JSON.stringify([path, time])}`,
        model: (model) => model.setAttribute(path, { time }),
        real: (fs) => fs.utimes(path, time),
      };
}

export function namingStep(random: Random, path: string): Step {
  const call = random.pick(["readlink", "realpath", "contentId"] as const);
  return {
    says: `${call} ${JSON.stringify(path)}`,
    model: (model) => model[call](path),
    real: (fs) => fs[call](path),
  };
}

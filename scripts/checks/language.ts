import { checkLanguage, countPhrases } from "../language/language-rules.js";
import { readWorkingTree } from "../lines/read-tree.js";
import { type Check, outcomeOf } from "../outcome.js";

export const language: Check = {
  name: "language",
  promise: "comments, messages and prose are in plain English, as language-phrases.ts counts it",
  usualSeconds: 1,

  async run() {
    const counts = countPhrases(
      await readWorkingTree((file) => /\.(?:md|[cm]?[jt]sx?)$/.test(file)),
    );
    return outcomeOf(
      (["comments", "messages", "prose"] as const).map((kind) => ({
        problems: checkLanguage(kind, counts),
      })),
    );
  },
};

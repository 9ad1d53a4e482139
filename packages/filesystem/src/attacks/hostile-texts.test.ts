import { testHostileTexts } from "./hostile-text-costs.test.support.js";
import { hostileTexts, listedMegabytes } from "./hostile-texts.test.support.js";

testHostileTexts({
  program: new URL("hostile-texts.test.program.ts", import.meta.url),
  names: Object.keys(hostileTexts),
  promises: "FS-90, TM-6",
  extraMegabytes: listedMegabytes,
});

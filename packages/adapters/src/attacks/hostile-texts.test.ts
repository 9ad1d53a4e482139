import { testHostileTexts } from "../../../filesystem/src/attacks/hostile-text-costs.test.support.js";
import { hostileTexts } from "./hostile-texts.test.support.js";

testHostileTexts({
  program: new URL("hostile-texts.test.program.ts", import.meta.url),
  names: Object.keys(hostileTexts),
  promises: "AD-56, TM-6",
});

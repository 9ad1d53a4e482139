import { printCost } from "../../../filesystem/src/attacks/print-cost.test.support.js";
import { hostileTexts } from "./hostile-texts.test.support.js";

await printCost(hostileTexts);

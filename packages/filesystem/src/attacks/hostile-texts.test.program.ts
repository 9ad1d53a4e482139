import { hostileTexts } from "./hostile-texts.test.support.js";
import { printCost } from "./print-cost.test.support.js";

await printCost(hostileTexts);

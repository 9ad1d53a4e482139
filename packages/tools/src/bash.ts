export type { BashLimits } from "./bash/bash-limits.js";
export { BashSection, type BashSectionOptions } from "./bash/bash-section.js";
export { fromJustBashFs } from "./bash/from-just-bash-fs.js";
export { toJustBashFs } from "./bash/to-just-bash-fs.js";

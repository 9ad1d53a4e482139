export { type NodeFsPromises, toNodeFs } from "./node-fs/to-node-fs.js";

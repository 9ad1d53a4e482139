export { toLangChainTools } from "./interop/langchain-tools.js";

export { areaOf, type ContractArea, type ContractCase } from "./contract/contract-case.js";
export {
  type StoreContractOptions,
  type StoreFactory,
  storeContract,
} from "./contract/store-contract.js";
export { findRunner, type TestRunner } from "./contract/test-runner.js";

export { areaOf, type ContractArea, type ContractCase } from "./testing/contract-case.js";
export {
  type StoreContractOptions,
  type StoreFactory,
  storeContract,
} from "./testing/store-contract.js";
export { findRunner, type TestRunner } from "./testing/test-runner.js";

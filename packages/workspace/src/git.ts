export { type RepositoryHistory, readHistory } from "./git/read-history.js";
export { withRepositorySnapshots } from "./git/repository-snapshots.js";
export { bundleStore, verifyStore } from "./git/store-maintenance.js";

export { isStoreUrl, type OpenStoreOptions, openStore } from "./url/open-store.js";

export {
  type OverrideDifference,
  OverrideStore,
  type StoredOverrides,
} from "./override/override-store.js";

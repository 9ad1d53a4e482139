export {
  type AppliedOverrides,
  type OverrideDifference,
  OverrideStore,
  type OverrideStoreOptions,
  type SeedOptions,
  type StoredOverrides,
} from "./override-store.js";
export {
  isOverrideStoreError,
  OverrideStoreError,
  type OverrideStoreErrorCode,
  type OverrideStoreErrorOptions,
} from "./override-store-error.js";
export type {
  OverrideReport,
  PromptOverrides,
  SectionOverride,
  ToolOverride,
} from "./prompt-overrides.js";

export {
  type AppliedOverrides,
  type OverrideDifference,
  OverrideStore,
  type OverrideStoreOptions,
  type SeedOptions,
  type StoredOverrides,
} from "./override/override-store.js";
export {
  isOverrideStoreError,
  OverrideStoreError,
  type OverrideStoreErrorCode,
  type OverrideStoreErrorOptions,
} from "./override/override-store-error.js";
export type {
  OverrideReport,
  PromptOverrides,
  SectionOverride,
  ToolOverride,
} from "./template/prompt-overrides.js";

import { vi } from "vitest";

// memfs' tests are written for Jest, whose functions Vitest has under another name.
Object.assign(globalThis, { jest: vi });

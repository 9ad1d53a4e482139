#!/usr/bin/env node
// Agents are written in TypeScript: with tsx registered, `wink run agent.ts` needs no build.
import { register } from "tsx/esm/api";

register();
await import("../dist/main.js");

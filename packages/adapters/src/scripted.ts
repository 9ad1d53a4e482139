export { ScriptedAdapter, type ScriptedAdapterOptions } from "./scripted/scripted-adapter.js";
export type { ScriptedCall, ScriptedTurn } from "./scripted/scripted-turn.js";

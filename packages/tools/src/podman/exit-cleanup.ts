import type { ContainerEngine } from "./container-engine.js";
import type { Overlay } from "./overlay.js";

interface Kept {
  readonly engine: ContainerEngine | undefined;
  readonly containers: ReadonlySet<string>;
}

/** The workspaces and containers to remove when this process exits. */
const kept = new Map<Overlay, Kept>();

/** Removes a workspace and its container if the process exits before `releaseFromExit` is called. */
export function keepForExit(overlay: Overlay, engine?: ContainerEngine, container?: string): void {
  if (kept.size === 0) process.on("exit", removeKept);
  const before = kept.get(overlay);
  kept.set(overlay, {
    engine: engine ?? before?.engine,
    containers: new Set([...(before?.containers ?? []), ...(container ? [container] : [])]),
  });
}

/** Releases one container, or the whole workspace if no container is given. */
export function releaseFromExit(overlay: Overlay, container?: string): void {
  const before = kept.get(overlay);
  if (before === undefined) return;
  if (container === undefined) {
    kept.delete(overlay);
    if (kept.size === 0) process.off("exit", removeKept);
    return;
  }
  const containers = new Set([...before.containers].filter((name) => name !== container));
  kept.set(overlay, { ...before, containers });
}

function removeKept(): void {
  for (const [overlay, { engine, containers }] of kept) {
    if (containers.size > 0) engine?.removeNow([...containers]);
    overlay.removeNow();
  }
}

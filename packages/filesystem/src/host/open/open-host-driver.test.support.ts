import type { HostDriver } from "../driver/host-driver.js";
import { openHostDriver as open } from "./open-host-driver.js";

/** The driver with its exact type, which has synchronous methods. */
export const openHostDriver = open as (...args: Parameters<typeof open>) => Promise<HostDriver>;

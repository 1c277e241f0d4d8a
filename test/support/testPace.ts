import type { HostOptions } from "../../core/host.ts";

/**
 * The pace of a host in tests that make schedules due: the host polls ten times per second instead of every five
 * seconds.
 */
export const testPace: NonNullable<HostOptions["pace"]> = { pollS: 0.1 };

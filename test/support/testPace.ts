import type { HostOptions } from "../../core/host.ts";

/** The pace of a host whose schedules a test makes due: it looks for them within a tenth of a second, not five. */
export const testPace: NonNullable<HostOptions["pace"]> = { pollS: 0.1 };

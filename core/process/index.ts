// The process that a host runs in: its cache of compiled modules, the signals that end it, time slices of its main thread.
// May import: plugins/protocol.
export { cacheModules } from "./cacheModules.ts";
export { TimeSlices } from "./timeSlices.ts";
export { untilStopped } from "./untilStopped.ts";

// The process of a host: compiled modules that are kept, signals that end it, time slices of its main thread.
// May import: plugins/protocol.
export { cacheModules } from "./cacheModules.ts";
export { nodeComplaint } from "./nodeComplaint.ts";
export { TimeSlices } from "./timeSlices.ts";
export { untilStopped } from "./untilStopped.ts";
export { packageVersion } from "./packageVersion.ts";

// The process of a host: compiled modules that are kept, signals that end it, parts that open together, time slices.
// May import: plugins/protocol.
export { cacheModules } from "./cacheModules.ts";
export { nodeComplaint } from "./nodeComplaint.ts";
export { openBoth } from "./openBoth.ts";
export { TimeSlices } from "./timeSlices.ts";
export { untilStopped } from "./untilStopped.ts";
export { packageVersion } from "./packageVersion.ts";

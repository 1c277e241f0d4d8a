// The process of a host: compiled modules, signals that stop it, parts that open together, time slices, its metrics.
// May import: engine/fair.
export { TimeSlices } from "../../../engine/fair/index.ts";
export { cacheModules } from "./cacheModules.ts";
export { listen } from "./listen.ts";
export { makeThreads } from "./makeThreads.ts";
export { metricsPlace } from "./metricsPlace.ts";
export { nodeComplaint } from "./nodeComplaint.ts";
export { openBoth } from "./openBoth.ts";
export { type Opened, openParts } from "./openParts.ts";
export { untilStopped } from "./untilStopped.ts";
export { packageVersion } from "./packageVersion.ts";

// The process of a host: signals that stop it, parts that open together, time slices, its metrics.
// May import: engine/fair.
export { TimeSlices } from "../../../engine/fair/index.ts";
export { disableContextCells } from "./disableContextCells.ts";
export { JobCancelled } from "./jobCancelled.ts";
export { listen } from "./listen.ts";
export { loopbackUrl } from "./loopbackUrl.ts";
export { metricsPlace } from "./metricsPlace.ts";
export { openBoth } from "./openBoth.ts";
export { type Opened, openParts } from "./openParts.ts";
export { untilStopped } from "./untilStopped.ts";
export { packageVersion } from "./packageVersion.ts";

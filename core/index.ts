// The host, for those who embed it: `import { openHost } from "manifold"`.
// May import: the folders of core through their doors.
export { openHost, type Host, type HostOptions } from "./host.ts";
export { type Config, settings } from "./config.ts";
export { untilStopped } from "./process/index.ts";

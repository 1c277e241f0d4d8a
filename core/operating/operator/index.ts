// A socket of the data folder: commands of this machine ask the host that runs on it.
// May import: core/base, core/catalog.
export { askHost, type HostAnswer } from "./askHost.ts";
export { openOperatorDoor, type HeldAnswer } from "./openOperatorDoor.ts";

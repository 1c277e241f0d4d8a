// A socket of the data folder: commands of this machine ask the host that runs on it.
// May import: core/catalog, core/errors, core/json.
export { askHost, type HostAnswer } from "./askHost.ts";
export { openOperatorDoor, type HeldAnswer } from "./openOperatorDoor.ts";

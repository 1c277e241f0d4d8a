// A socket in the data folder through which commands of this machine send requests to the host.
// May import: core/base, core/catalog.
export { requestHost, type HostAnswer } from "./requestHost.ts";
export { openOperatorDoor, type HeldAnswer } from "./openOperatorDoor.ts";

// The columnar store as a plugin: protocol in, plans out.
// May import: plugins/protocol, plugins/sdk, the engine's door.
export { openStrata, type StrataOptions } from "./openStrata.ts";

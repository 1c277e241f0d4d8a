// The columnar store as a plugin: protocol in, plans out.
// May import: engine, plugins/protocol.
export { openStrata, type StrataOptions } from "./openStrata.ts";

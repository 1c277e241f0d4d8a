// The columnar store as a plugin: translates queries of the protocol to plans of the engine.
// May import: engine, plugins/protocol.
export { openStrata, type StrataOptions } from "./openStrata.ts";

// The command that verifies isolation: it compares what two tokens see with the rows that their filters allow.
// May import: core/base, core/web/charts; plugins/conformance, plugins/protocol.
export { isolationUsage, runVerifyIsolation } from "./runVerifyIsolation.ts";

// The command that verifies isolation: what two tokens see, compared with the rows that their filters allow.
// May import: core/base, core/web/charts; plugins/conformance, plugins/protocol.
export { isolationUsage, runVerifyIsolation } from "./runVerifyIsolation.ts";

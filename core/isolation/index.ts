// The command that verifies isolation: what two tokens see, compared with the rows that their filters allow.
// May import: core/charts, core/errors, core/json; plugins/conformance, plugins/protocol.
export { isolationUsage, runVerifyIsolation } from "./runVerifyIsolation.ts";

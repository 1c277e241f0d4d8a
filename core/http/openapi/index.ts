// The API description served at /openapi.json, generated from the declarations.
// May import: core/base, core/exports, core/resources; plugins/protocol; typebox.
export { accountOperations } from "./accountPaths.ts";
export { createOpenapi } from "./createOpenapi.ts";
export { refusingUnknownMembers } from "./refusingUnknownMembers.ts";

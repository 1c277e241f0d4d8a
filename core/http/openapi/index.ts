// The API description served at /openapi.json, generated from the declarations.
// May import: core/base, core/catalog, core/exports, core/jobs, core/queries, core/resources; plugins/protocol;
// typebox.
export { accountOperations } from "./accountPaths.ts";
export { componentSchemas } from "./componentSchemas.ts";
export { createOpenapi } from "./createOpenapi.ts";
export { refusingUnknownMembers } from "./refusingUnknownMembers.ts";
export { givenSchema } from "./recordSchemas.ts";

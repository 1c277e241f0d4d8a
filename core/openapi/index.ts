// The description of the API that /openapi.json answers, made from the declarations.
// May import: core/contracts, core/resources; typebox.
export { createOpenapi } from "./createOpenapi.ts";

// The description of the API that /openapi.json answers, made from the declarations.
// May import: typebox; core's call, written answer and the doors of resources and middleware.
export { createOpenapi } from "./createOpenapi.ts";

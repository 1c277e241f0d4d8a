// The plugin protocol as JSON Schemas and as an OpenAPI description, generated from the schemas of plugins/protocol.
// May import: oxc-parser, typebox, plugins/protocol.
export { createPluginOpenapi } from "./createPluginOpenapi.ts";
export type { JsonSchema } from "./createSchemas.ts";
export { operations } from "./operations.ts";
export { schemaFiles, writeSchemas } from "./writeSchemas.ts";

// The schema of the catalog as release 0.1.0 created it, by subject. Steps in ../migrations change it.
// May import: knex.
export { createSchema, schemaText } from "./createSchema.ts";

// The steps of the schema, in order.
// May import: core/catalog/schema; knex.
import { createSchema } from "../schema/index.ts";
import { loadProgress } from "./loadProgress.ts";
import { uploads } from "./uploads.ts";
import type { Migration } from "./migration.ts";

export type { Migration };

/** The first step is the schema of release 0.1.0. A released step never changes; each change is a new step. */
export const migrations: readonly Migration[] = [
  { name: "001Schema", up: createSchema },
  loadProgress,
  uploads,
];

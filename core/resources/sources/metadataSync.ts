import Type from "typebox";
import { flag } from "../kernel/index.ts";

/**
 * Whether to synchronize the columns of live datasets with their source. `core/sources/synchronization` reads this
 * input.
 */
export const updateMetadata = flag({ on: ["update"] });

/**
 * Schema of the changes found by a synchronization: one report for a dataset, or for a connection a list `datasets` of
 * reports.
 */
export const metadataSync = Type.Object(
  { synced: Type.Boolean() },
  {
    additionalProperties: true,
    description:
      "with update_metadata: columns that were added, removed or changed their type, and what uses them",
  },
);

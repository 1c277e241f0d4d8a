import Type from "typebox";
import { flag } from "../kernel/index.ts";

/**
 * Whether to synchronize the columns of live datasets with their source. `core/sources/synchronization` reads this
 * input.
 */
export const updateMetadata = flag({
  description: "Whether to synchronize the columns with the source now.",
  on: ["update"],
});

/**
 * Schema of the changes found by a synchronization: one report for a dataset, or a list `datasets` of reports for a
 * connection.
 */
export const metadataSync = Type.Object(
  { synced: Type.Boolean() },
  {
    additionalProperties: true,
    description:
      "With update_metadata: columns that were added, removed or changed their type, and what uses them.",
  },
);

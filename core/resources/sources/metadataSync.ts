import Type from "typebox";
import { flag } from "../kernel/index.ts";

/** Makes the columns of live datasets follow their source; `core/sources/synchronization` reads it. */
export const updateMetadata = flag({ on: ["update"] });

/** Schema of what changed, and what uses it: one report for a dataset, `datasets` with one for each of a connection. */
export const metadataSync = Type.Object(
  { synced: Type.Boolean() },
  {
    additionalProperties: true,
    description:
      "with update_metadata: columns that came, went and changed type, and what uses them",
  },
);

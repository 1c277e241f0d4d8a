import { openDelimited } from "../../../../plugins/rows/formats/openDelimited.ts";
import type { GivenSettings } from "../../../../plugins/rows/formats/settings.ts";
import { readFirstTable, type ReadTable } from "./readFirstTable.ts";

/** Describes a CSV file and reads its rows with the types of the description. */
export function readDelimited(
  text: string | Uint8Array,
  properties?: GivenSettings,
): Promise<ReadTable> {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  return readFirstTable(bytes, { format: "csv", open: openDelimited }, properties);
}

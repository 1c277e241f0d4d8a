import { randomUUID } from "node:crypto";
import type { DataType } from "../../../plugins/protocol/index.ts";
import type { WrittenValues } from "../../base/index.ts";
import { columnFormat, informatOf } from "../../resources/index.ts";
import type { DetectedType } from "./detectType.ts";

/** The members of a column record that a push sets. */
export type ColumnValues = WrittenValues<"column"> & {
  readonly id: string;
  readonly source_name: string;
  readonly type: DataType;
};

/**
 * Describes a new column of a dataset. The lowest level is the day for dates, and the millisecond for other datetimes.
 */
export function columnValues(
  sourceName: string,
  order: number,
  { type, subtype, order: dateOrder }: DetectedType,
  securableId: string,
  userId: string,
): ColumnValues {
  return {
    id: randomUUID(),
    securable_id: securableId,
    user_id: userId,
    source_name: sourceName,
    name: { en: sourceName },
    order,
    type,
    subtype: subtype ?? null,
    aggregation_type: "sum",
    ...columnFormat(type, subtype, sourceName),
    ...(dateOrder && { informat: informatOf(dateOrder, subtype === "date") }),
  };
}

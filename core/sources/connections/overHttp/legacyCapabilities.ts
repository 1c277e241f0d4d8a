import { dataTypes, type Capabilities, levels } from "../../../../plugins/protocol/index.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/**
 * The types that the source can order. Strings are excluded, because the source's sort order for strings is unknown.
 */
const ordered = ["numeric", "datetime"] as const;

/** The operators of the numbered versions, with the column types that they accept. */
export const legacyOperators: NonNullable<Capabilities["filters"]>["operators"] = {
  "=": dataTypes,
  "!=": dataTypes,
  "<": ordered,
  "<=": ordered,
  ">": ordered,
  ">=": ordered,
  in: dataTypes,
  "not in": dataTypes,
  "is null": dataTypes,
  "is not null": dataTypes,
};

/**
 * Returns the capabilities of a plugin of a numbered version. A basic plugin has none. A plugin with pushdown can apply
 * one list of filters, combined with AND, and can group in UTC. Order, limit, having, nested filters and text search
 * are excluded, because known plugins do not reliably implement them. Existing plugins return days for weeks, so the
 * host requests days and combines them.
 */
export function legacyCapabilities(remote: RemotePlugin): Capabilities {
  if (!remote.pushdown) return {};
  return {
    projection: true,
    filters: {
      operators: legacyOperators,
    },
    grouping: {
      aggregations: [
        "sum",
        "min",
        "max",
        "count",
        ...(remote.supportsDistinctcount ? (["distinctcount"] as const) : []),
      ],
      levels: levels.filter((level) => level !== "week"),
    },
  };
}

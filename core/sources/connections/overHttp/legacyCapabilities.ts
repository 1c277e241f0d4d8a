import { dataTypes, type Capabilities, levels } from "../../../../plugins/protocol/index.ts";
import type { RemotePlugin } from "./remotePlugin.ts";

/** Text is left out: in which order a source sorts it is not known. */
const ordered = ["numeric", "datetime"] as const;

/** The operators that the numbered versions have, with the types of the columns. */
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
 * Returns the capabilities of a plugin of a numbered version. A basic one nothing; one with pushdown
 * filters in one ANDed list and grouping in UTC. Order, limit, having, nested filters and text
 * search are not in the part of the protocol that plugins are known to implement. Weeks are days at plugins of the
 * field: the host asks for days and puts them together.
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

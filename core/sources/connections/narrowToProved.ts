import {
  dataTypes,
  type Capabilities,
  type DataType,
  type Demotion,
  type FilterCapabilities,
  type GroupingCapabilities,
} from "../../../plugins/protocol/index.ts";

/** The part of a plugin's capabilities that the conformance kit has proved. */
export interface ProvedCapabilities {
  readonly capabilities: Capabilities;
  /** The claims that were removed, each with the reason. */
  readonly left: readonly Demotion[];
  /** Types whose columns the kit has not proved to work as group keys. */
  readonly unprovedKeys: readonly DataType[];
}

/** Clauses that are a single claim, with the name of the clause. */
const clauses = [
  "levelsAnywhere",
  "bins",
  "decimalBins",
  "joins",
  "joinFilters",
  "having",
  "order",
  "limit",
] as const;

/**
 * Reduces capabilities to the claims that the kit has proved, which are named by their paths. Never adds a capability.
 */
export function narrowToProved(
  declared: Capabilities,
  proved: ReadonlySet<string>,
): ProvedCapabilities {
  const left: Demotion[] = [];
  const holds = (capability: string): boolean => {
    if (proved.has(capability)) return true;
    left.push({
      capability,
      reason: "the kit has not proved it, and MANIFOLD_PLUGINS is verified",
    });
    return false;
  };
  const { probed, projection } = declared;
  const always: Capabilities = probed ? { probed } : {};
  if (!projection || !holds("projection"))
    return { capabilities: always, left, unprovedKeys: dataTypes };
  const filters = declared.filters && provedFilters(declared.filters, holds);
  const unprovedKeys = declared.grouping
    ? dataTypes.filter((type) => !holds(`grouping.keys.${type}`))
    : [];
  const grouping = declared.grouping && provedGrouping(declared.grouping, holds);
  const functions = declared.expressions?.functions.filter((name) =>
    holds(`expressions.functions.${name}`),
  );
  const kept = clauses.filter((clause) => declared[clause] && holds(clause));
  return {
    capabilities: {
      ...always,
      projection,
      ...(filters && { filters }),
      ...(grouping && { grouping }),
      ...(functions?.length && { expressions: { functions } }),
      ...Object.fromEntries(kept.map((clause) => [clause, true])),
    },
    left,
    unprovedKeys,
  };
}

type Holds = (capability: string) => boolean;

/** Returns the filters that were proved; undefined if no filter was proved. */
function provedFilters(declared: FilterCapabilities, holds: Holds): FilterCapabilities | undefined {
  const typesOf = (member: "operators" | "superset"): FilterCapabilities["operators"] =>
    Object.fromEntries(
      Object.entries(declared[member] ?? {}).flatMap(([operator, promised = []]) => {
        const types = promised.filter((type) => holds(`filters.${member}.${operator}.${type}`));
        return types.length > 0 ? [[operator, types]] : [];
      }),
    );
  const exact = typesOf("operators");
  // The claim `filters` means that several filters work together.
  const operators = Object.keys(exact).length > 0 && holds("filters") ? exact : {};
  const superset = typesOf("superset");
  if (Object.keys(operators).length + Object.keys(superset).length === 0) return undefined;
  const { listLength } = declared;
  return {
    operators,
    ...(Object.keys(superset).length > 0 && { superset }),
    ...(declared.nested && holds("filters.nested") && { nested: true }),
    ...(declared.levels && holds("filters.levels") && { levels: true }),
    ...(listLength !== undefined && { listLength }),
  };
}

function provedGrouping(declared: GroupingCapabilities, holds: Holds): GroupingCapabilities {
  const { aggregations, levels, timezones } = declared;
  return {
    aggregations: aggregations.filter((name) => holds(`grouping.aggregations.${name}`)),
    levels: levels.filter((level) => holds(`grouping.levels.${level}`)),
    ...(timezones && holds("grouping.timezones") && { timezones }),
  };
}

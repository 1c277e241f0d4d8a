import {
  dataTypes,
  type Capabilities,
  type DataType,
  type Demotion,
  type FilterCapabilities,
  type GroupingCapabilities,
} from "../../../plugins/protocol/index.ts";

/** The part of a plugin's capabilities on which the host relies. */
export interface ReliableCapabilities {
  readonly capabilities: Capabilities;
  /** The claims that were removed, each with the reason. */
  readonly left: readonly Demotion[];
  /** Types whose columns are not used as group keys. */
  readonly unreliableKeys: readonly DataType[];
}

/** Clauses that consist of a single claim, whose path is the name of the clause. */
const clauses = [
  "levelsAnywhere",
  "bins",
  "decimalBins",
  "joins",
  "compositeJoins",
  "joinFilters",
  "having",
  "order",
  "groupLimit",
  "limit",
] as const;

/** Returns why the host does not rely on a claim, which is named by its path. Undefined if the host relies on it. */
export type DoubtOf = (claim: string) => string | undefined;

/** Reduces capabilities to the claims without a doubt. Never adds a capability. */
export function narrowToReliable(declared: Capabilities, doubtOf: DoubtOf): ReliableCapabilities {
  const left: Demotion[] = [];
  const holds = (capability: string): boolean => {
    const reason = doubtOf(capability);
    if (reason === undefined) return true;
    left.push({ capability, reason });
    return false;
  };
  const { probed, projection } = declared;
  const always: Capabilities = probed ? { probed } : {};
  if (!projection || !holds("projection"))
    return { capabilities: always, left, unreliableKeys: dataTypes };
  const filters = declared.filters && reliableFilters(declared.filters, holds);
  const unreliableKeys = declared.grouping
    ? dataTypes.filter((type) => !holds(`grouping.keys.${type}`))
    : [];
  const grouping = declared.grouping && reliableGrouping(declared.grouping, holds);
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
    unreliableKeys,
  };
}

type Holds = (capability: string) => boolean;

/** Returns the filters on which the host relies; undefined if there are none. */
function reliableFilters(
  declared: FilterCapabilities,
  holds: Holds,
): FilterCapabilities | undefined {
  const typesOf = (member: "operators" | "superset"): FilterCapabilities["operators"] =>
    Object.fromEntries(
      Object.entries(declared[member] ?? {}).flatMap(([operator, promised = []]) => {
        const types = promised.filter((type) => holds(`filters.${member}.${operator}.${type}`));
        return types.length > 0 ? [[operator, types]] : [];
      }),
    );
  const exact = typesOf("operators");
  const supersets = typesOf("superset");
  // The claim `filters` means that several filters work together. Only plugins with exact operators make this claim.
  const isTogether = Object.keys(declared.operators).length === 0 || holds("filters");
  const [operators, superset] = isTogether ? [exact, supersets] : [{}, {}];
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

function reliableGrouping(declared: GroupingCapabilities, holds: Holds): GroupingCapabilities {
  const { aggregations, levels, timezones } = declared;
  return {
    aggregations: aggregations.filter((name) => holds(`grouping.aggregations.${name}`)),
    levels: levels.filter((level) => holds(`grouping.levels.${level}`)),
    ...(timezones && holds("grouping.timezones") && { timezones }),
  };
}

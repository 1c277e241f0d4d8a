import {
  dataTypes,
  type Aggregation,
  type Capabilities,
  type DataType,
  type FunctionName,
  type Level,
  type Operator,
  operators,
} from "../protocol/index.ts";

/** One promise of a plugin. It is so narrow that queries of a single kind can prove or refute it. */
export type Claim = { readonly path: string } & (
  | {
      readonly kind: "filter";
      readonly operator: Operator;
      readonly type: DataType;
      readonly isSuperset: boolean;
    }
  | { readonly kind: "key"; readonly type: DataType }
  | { readonly kind: "aggregation"; readonly aggregation: Aggregation }
  | { readonly kind: "level"; readonly level: Level }
  | { readonly kind: "function"; readonly function: FunctionName }
  | { readonly kind: "bins"; readonly isDecimal: boolean }
  | { readonly kind: "timezones" }
  | {
      readonly kind:
        | "rows"
        | "projection"
        | "together"
        | "nested"
        | "filterLevels"
        | "levelsAnywhere"
        | "joins"
        | "compositeJoins"
        | "joinFilters"
        | "having"
        | "order"
        | "groupLimit"
        | "limit";
    }
);

/** Lists the claims that a plugin's capabilities make, in the order of the report. */
export function claimsOf(capabilities: Capabilities): readonly Claim[] {
  const { filters, grouping } = capabilities;
  const claims: Claim[] = [{ path: "rows", kind: "rows" }];
  // A plugin without projection receives only queries for all rows, whatever else it promises.
  if (!capabilities.projection) return claims;
  claims.push({ path: "projection", kind: "projection" });
  for (const member of ["operators", "superset"] as const)
    for (const [name, promised = []] of Object.entries(filters?.[member] ?? {})) {
      const operator = operators.find((each) => each === name);
      if (!operator) continue;
      for (const type of promised)
        claims.push({
          path: `filters.${member}.${operator}.${type}`,
          kind: "filter",
          operator,
          type,
          isSuperset: member === "superset",
        });
    }
  if (Object.keys(filters?.operators ?? {}).length > 0)
    claims.push({ path: "filters", kind: "together" });
  if (filters?.nested) claims.push({ path: "filters.nested", kind: "nested" });
  if (filters?.levels) claims.push({ path: "filters.levels", kind: "filterLevels" });
  if (grouping) {
    for (const type of dataTypes) claims.push({ path: `grouping.keys.${type}`, kind: "key", type });
    for (const aggregation of grouping.aggregations)
      claims.push({
        path: `grouping.aggregations.${aggregation}`,
        kind: "aggregation",
        aggregation,
      });
    for (const level of grouping.levels)
      claims.push({ path: `grouping.levels.${level}`, kind: "level", level });
    if (grouping.timezones) claims.push({ path: "grouping.timezones", kind: "timezones" });
  }
  if (capabilities.levelsAnywhere) claims.push({ path: "levelsAnywhere", kind: "levelsAnywhere" });
  if (capabilities.bins) claims.push({ path: "bins", kind: "bins", isDecimal: false });
  if (capabilities.bins && capabilities.decimalBins)
    claims.push({ path: "decimalBins", kind: "bins", isDecimal: true });
  for (const name of capabilities.expressions?.functions ?? [])
    claims.push({ path: `expressions.functions.${name}`, kind: "function", function: name });
  if (capabilities.joins) {
    claims.push({ path: "joins", kind: "joins" });
    if (capabilities.compositeJoins)
      claims.push({ path: "compositeJoins", kind: "compositeJoins" });
    if (capabilities.joinFilters) claims.push({ path: "joinFilters", kind: "joinFilters" });
  }
  for (const kind of ["having", "order", "groupLimit", "limit"] as const)
    if (capabilities[kind]) claims.push({ path: kind, kind });
  return claims;
}

/** Lists the claims that the kit cannot test, because it never writes to a source. */
export function untestedClaims({ write, update }: Capabilities): readonly string[] {
  return [...(write ? ["write"] : []), ...(update ? ["update"] : [])];
}

import type { Capabilities, DataType } from "../protocol/index.ts";

/* The functions of this file remove capabilities that a dialect cannot write, or that a session computes wrongly. */

export function withoutLevels(all: Capabilities): Capabilities {
  const { levelsAnywhere: _, grouping, filters, ...rest } = all;
  return {
    ...rest,
    ...(filters && { filters: { ...filters, levels: false } }),
    ...(grouping && { grouping: { ...grouping, levels: [] } }),
  };
}

export function withoutWeeks(all: Capabilities): Capabilities {
  const { grouping } = all;
  if (!grouping) return all;
  return {
    ...all,
    grouping: { ...grouping, levels: grouping.levels.filter((level) => level !== "week") },
  };
}

/**
 * Removes exact text comparison. Grouping is also removed, because a plugin cannot promise it for keys of only some
 * types.
 */
export function withoutTexts(all: Capabilities): Capabilities {
  const { grouping: _, ...rest } = all;
  const isTest = (operator: string) => !operator.endsWith("null");
  return withoutOrder(withoutOperators(rest, isTest, "hierarchy"));
}

export function withoutMatches(all: Capabilities): Capabilities {
  return withoutOperators(all, (operator) => /like|with/.test(operator));
}

export function withoutBins(all: Capabilities): Capabilities {
  const { bins: _, decimalBins: __, ...rest } = all;
  return rest;
}

export function withoutOrder(all: Capabilities): Capabilities {
  const { order: _, groupLimit: __, limit: ___, ...rest } = all;
  return withoutOperators(rest, (operator) => /^[<>]/.test(operator), "hierarchy");
}

export function withoutNumbers(all: Capabilities): Capabilities {
  const { grouping: _, bins: __, decimalBins: ___, ...rest } = all;
  return withoutOperators(rest, (operator) => !operator.endsWith("null"), "numeric");
}

/** Removes operators, either for all types or for one type. */
function withoutOperators(
  all: Capabilities,
  isTaken: (operator: string) => boolean,
  type?: DataType,
): Capabilities {
  const { filters } = all;
  if (!filters) return all;
  const kept = Object.entries(filters.operators).flatMap(([operator, types]) => {
    if (!isTaken(operator)) return [[operator, types] as const];
    return type === undefined ? [] : [[operator, types.filter((each) => each !== type)] as const];
  });
  return { ...all, filters: { ...filters, operators: Object.fromEntries(kept) } };
}

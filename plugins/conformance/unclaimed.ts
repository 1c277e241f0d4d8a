import {
  dataTypes,
  aggregations,
  type Call,
  type Capabilities,
  functions,
  levels,
  operators,
  type Plugin,
} from "../protocol/index.ts";
import { ClaimCheck } from "./claimCheck.ts";
import { type Claim, claimsOf } from "./claims.ts";
import type { Random } from "./createRandom.ts";
import type { Subject } from "./subject.ts";

/** Number of queries per capability that the plugin does not claim. */
const queriesEach = 6;

/**
 * All capabilities that a plugin could claim in addition to its own, except `groupLimit` and `compositeJoins`. Plugins
 * that are older than these clauses ignore them. This does no harm, because the host sends them only to plugins that
 * promise them.
 */
const everything: Capabilities = {
  projection: true,
  filters: {
    operators: Object.fromEntries(operators.map((operator) => [operator, dataTypes])),
    nested: true,
    levels: true,
  },
  grouping: { aggregations, levels, timezones: true },
  levelsAnywhere: true,
  bins: true,
  decimalBins: true,
  expressions: { functions },
  joins: true,
  joinFilters: true,
  having: true,
  order: true,
  limit: true,
};

export interface UnclaimedOptions {
  readonly plugin: Plugin;
  readonly capabilities: Capabilities;
  readonly subjects: readonly Subject[];
  readonly call: Call;
  readonly random: Random;
  /** Returns whether the time limit is reached. */
  readonly isOver: () => boolean;
  /** Called after each query that the plugin did not answer in time. */
  readonly noteUnanswered: () => void;
}

/**
 * Tests the capabilities that a plugin does not claim and must therefore refuse. Returns the checks that sent queries.
 * Their reports have these verdicts:
 *
 * - If the plugin refuses, the verdict is `refused`.
 * - If it answers correctly, the verdict is `possible`.
 * - If it answers wrongly, the report contains a finding, because the plugin silently ignored a clause. A filter that
 * the answer does not acknowledge does not count as ignored.
 */
export async function checkUnclaimed({
  plugin,
  capabilities,
  subjects,
  call,
  random,
  isOver,
  noteUnanswered,
}: UnclaimedOptions): Promise<readonly ClaimCheck[]> {
  if (!capabilities.projection || subjects.length === 0) return [];
  const own = new Set(
    claimsOf(capabilities).map(({ path }) => path.replace(".superset.", ".operators.")),
  );
  const checks: ClaimCheck[] = [];
  // A plugin without computed columns refuses every function for the same reason, so a sample of functions is enough.
  const isComputing = capabilities.expressions !== undefined;
  for (const claim of claimsOf(everything)) {
    if (claim.kind === "function" && !isComputing && !random.chance(0.08)) continue;
    const extended = own.has(claim.path) ? undefined : withClaim(capabilities, claim);
    if (!extended || isOver()) continue;
    const check = new ClaimCheck(claim, plugin, call, {
      isOver,
      isUnclaimed: true,
      noteUnanswered,
    });
    for (let query = 0; query < queriesEach && !check.isSettled; query++)
      await check.checkOne({ ...random.pick(subjects), capabilities: extended }, random, undefined);
    if (check.queryCount > 0) checks.push(check);
  }
  return checks;
}

/**
 * Returns the capabilities that are needed to generate queries for a claim. Undefined if the claim also needs other
 * capabilities, which the plugin lacks.
 */
function withClaim(capabilities: Capabilities, claim: Claim): Capabilities | undefined {
  const { expressions, filters, grouping } = capabilities;
  const hasTests = Object.keys(filters?.operators ?? {}).length > 0;
  switch (claim.kind) {
    case "filter": {
      const promised = filters?.operators[claim.operator] ?? [];
      const extended = { ...filters?.operators, [claim.operator]: [...promised, claim.type] };
      return { ...capabilities, filters: { ...filters, operators: extended } };
    }
    case "nested":
      return hasTests ? capabilities : undefined;
    case "filterLevels":
      return hasTests && grouping ? capabilities : undefined;
    case "key":
      return { ...capabilities, grouping: { aggregations: [], levels: [] } };
    case "aggregation":
    case "level":
    case "timezones":
      return grouping ? capabilities : undefined;
    case "having":
      return grouping?.aggregations.includes("count") ? capabilities : undefined;
    case "levelsAnywhere":
      return grouping ? capabilities : undefined;
    case "bins":
      return claim.isDecimal && !capabilities.bins ? undefined : capabilities;
    case "function": {
      const { functions: promised } = expressions ?? { functions: [] };
      return {
        ...capabilities,
        expressions: { functions: [...new Set([...promised, "case" as const, claim.function])] },
      };
    }
    case "joinFilters":
      return capabilities.joins && hasTests ? capabilities : undefined;
    case "joins":
    case "order":
    case "limit":
      return capabilities;
    case "groupLimit":
    case "compositeJoins":
    case "projection":
    case "rows":
    case "together":
      return undefined;
  }
}

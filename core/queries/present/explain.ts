import { leaves, type Demotion } from "../../../plugins/protocol/index.ts";
import type { CacheState } from "../cache/answerCache.ts";
import { explainPushdown, type ExplainedPushdown } from "./explainPushdown.ts";
import { milliseconds } from "./milliseconds.ts";
import type { PlanStep } from "../queryPlan.ts";
import type { QueriedDataset } from "../queriedDataset.ts";
import type { Condition, ParsedQuery } from "../parsedQuery.ts";
import { referencesIn } from "../references.ts";
import type { SecuredQuery } from "../secure/secure.ts";
import type { TracedPart, TracedRun } from "../run/traceRun.ts";

/** A filter without its value. */
interface ExplainedFilter {
  /**
   * Who set the filter: the query (`question`), the token, the organization's embed filter group, or a share of the
   * dataset.
   */
  readonly origin: "question" | "token" | "filter_group" | "share";
  readonly dataset_id: string | undefined;
  /** The tested column. Absent, like `expression`, for columns that the caller may not use. */
  readonly column_id?: string;
  readonly expression?: string;
  /**
   * Whether the host tests the plugin's rows or groups again, even if the filter was pushed. True if the dataset's
   * plugin is not trusted.
   */
  readonly checked?: true;
}

interface ExplainedPart {
  /** The id of the dataset; null for the scratch plugin. */
  readonly dataset_id: string | null;
  readonly plugin: string;
  readonly clauses: readonly string[];
  /**
   * Number of rows in the plugin's answer. Null after a failure, and if row filters apply to the caller, who must not
   * learn how many other rows exist.
   */
  readonly rows: number | null;
  readonly milliseconds: number;
  readonly failure?: string;
  /**
   * Claims of the plugin that this call used and that the conformance kit has neither proved nor found wrong. Absent if
   * there are none.
   */
  readonly unproved?: readonly string[];
  /**
   * Claims that the conformance kit found wrong, on which this call relied nevertheless, because the host cannot
   * replace them (`rows`). Absent if there are none.
   */
  readonly disproved?: readonly Demotion[];
}

/** How one query was answered, in wire form. */
export interface Explanation {
  readonly datasets: readonly {
    readonly id: string;
    readonly plugin: string;
    /** The protocol version in which the host calls the plugin. Absent for plugins of the host's own process. */
    readonly protocol?: string;
    readonly live: boolean;
    /**
     * Present if a copy was queried instead of the source: the time at which the source had these rows, and their age
     * in seconds.
     */
    readonly copy?: { readonly as_of: string; readonly age: number };
    /** Seconds for which answers are cached; null if they are cached until the rows change. */
    readonly cache: number | null;
    /** Declared capabilities that a test of the connection disproved. Absent if no capability was disproved. */
    readonly demoted?: readonly Demotion[];
    /** Claims of the plugin on which the host does not rely, each with the reason. Absent if there are none. */
    readonly unused?: readonly Demotion[];
  }[];
  readonly mode: TracedRun["mode"];
  /** For each clause, whether the plugin carries it out, and the reason if it does not. */
  readonly steps: readonly PlanStep[];
  readonly filters: readonly ExplainedFilter[];
  /** For each filter, in the form that plugins receive, how its plugin carries it out. */
  readonly pushdown: readonly ExplainedPushdown[];
  readonly cache: {
    readonly state: CacheState;
    /** Milliseconds since the sources were queried. */
    readonly age: number;
  };
  /** The plugin calls that led to the answer. */
  readonly parts: readonly ExplainedPart[];
  /** The plugin calls that the subqueries made. */
  readonly probes: readonly ExplainedPart[];
  /** How the inner query of `from` was answered. Absent for a query without `from`. */
  readonly from?: Explanation;
}

interface ExplainedRun {
  readonly parsed: ParsedQuery;
  readonly secured: SecuredQuery;
  readonly answer: TracedRun;
  readonly state: CacheState;
  readonly ageMs: number;
  readonly subqueryParts: readonly TracedPart[];
  /** The explanation of the inner query. */
  readonly from?: Explanation;
}

/**
 * Explains an answer to its caller. The explanation contains no values, no names from the source and no hidden columns.
 * For a filter on a hidden column it contains only the origin.
 */
export function explain(run: ExplainedRun): Explanation {
  const { parsed, secured, answer, state, ageMs, subqueryParts, from } = run;
  const datasets = [secured.dataset, ...secured.joined];
  const isBound = datasets.some(({ rowFilters }) => rowFilters.length > 0);
  const isHiding = datasets.some(({ columns, rowFilters }) =>
    rowFilters.some((filter) => !columns.has(filter.column_id)),
  );
  const explained = (part: TracedPart) => explainPart(part, isBound, isHiding);
  return {
    datasets: datasets.map(({ id, connection, freshness, copy }) => ({
      id,
      plugin: connection.name,
      ...(connection.protocolVersion && { protocol: connection.protocolVersion }),
      live: freshness.version === undefined,
      ...(copy && {
        copy: {
          as_of: new Date(copy.asOfMs).toISOString(),
          age: Math.max(0, Date.now() - copy.asOfMs) / 1000,
        },
      }),
      cache: Number.isFinite(freshness.maxAgeMs) ? freshness.maxAgeMs / 1000 : null,
      ...(answer.demoted.has(id) && { demoted: answer.demoted.get(id)! }),
      ...(connection.unused?.length && { unused: connection.unused }),
    })),
    mode: answer.mode,
    steps: answer.steps.map((step) => explainStep(step, isHiding)),
    filters: [
      ...parsed.where.flatMap((condition) => testsIn(condition, secured)),
      ...datasets.flatMap(boundTests),
    ],
    pushdown: pushdownOf(answer, secured),
    cache: { state, age: milliseconds(ageMs) },
    parts: answer.parts.map(explained),
    probes: subqueryParts.map(explained),
    ...(from && { from }),
  };
}

/** Explains the filters of all parts of a query. A filter that several parts carry out in the same way stands once. */
function pushdownOf({ filters }: TracedRun, secured: SecuredQuery): readonly ExplainedPushdown[] {
  const explained = filters.map((filter) => {
    const own = filter.part === undefined ? undefined : secured.parts?.[filter.part]?.secured;
    return explainPushdown(filter, own ?? secured);
  });
  return [...new Map(explained.map((each) => [JSON.stringify(each), each])).values()];
}

function testsIn(condition: Condition, secured: SecuredQuery): readonly ExplainedFilter[] {
  const { dataset, joined } = secured;
  return leaves(condition).flatMap((leaf) =>
    referencesIn(leaf).map(({ datasetId, columnId }) => ({
      origin: "question" as const,
      dataset_id: datasetId,
      column_id: columnId,
      expression: "relative" in leaf ? leaf.relative : leaf.operator,
      ...checkedOf(joined.find(({ id }) => id === datasetId) ?? dataset),
    })),
  );
}

function checkedOf({ connection }: QueriedDataset): { readonly checked?: true } {
  return connection.isTrusted ? {} : { checked: true };
}

function boundTests(dataset: QueriedDataset): readonly ExplainedFilter[] {
  const { id, columns, rowFilters } = dataset;
  return rowFilters.map(({ setBy = "token", column_id, expression }) => {
    const filter = { origin: setBy, dataset_id: id, ...checkedOf(dataset) };
    return columns.has(column_id) ? { ...filter, column_id, expression } : filter;
  });
}

/** Hides the reason of a step if it may name an operator, type or function of a hidden filter. */
function explainStep(step: PlanStep, isHiding: boolean): PlanStep {
  const isOfFilters = ["filters", "columns", "joins"].includes(step.clause);
  if (!isHiding || !isOfFilters || step.reason === undefined) return step;
  return { ...step, reason: "the plugin does not promise all of this clause" };
}

/** Removes claims that name the operator, type or level of a hidden filter. */
function withoutTests(claims: readonly string[]): readonly string[] {
  return claims.filter((claim) => !/^(filters|grouping|levelsAnywhere|expressions)/.test(claim));
}

function explainPart(part: TracedPart, isBound: boolean, isHiding: boolean): ExplainedPart {
  const { datasetId, connection, clauses, rowCount, failure, durationMs, unproved, disproved } =
    part;
  return {
    dataset_id: datasetId ?? null,
    plugin: connection,
    clauses,
    rows: isBound ? null : (rowCount ?? null),
    milliseconds: milliseconds(durationMs),
    ...(failure !== undefined && { failure }),
    ...(unproved.length > 0 && { unproved: isHiding ? withoutTests(unproved) : unproved }),
    ...(disproved.length > 0 && { disproved }),
  };
}

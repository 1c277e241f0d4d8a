import {
  aggregationDefinitions,
  type Batch,
  type BatchColumn,
  type DataType,
  type QueryColumn,
} from "../../../plugins/protocol/index.ts";
import type { Caller, Connection } from "../../base/index.ts";
import { finish } from "../finish/finish.ts";
import { openLoading } from "../finish/openLoading.ts";
import { planGroups } from "../plan/planGroups.ts";
import type { PlanStep, QueryPlan } from "../queryPlan.ts";
import type { MeasuredPart, SecuredQuery, UnmatchedRows } from "../secure/secure.ts";
import type { RunAnswer } from "./runAnswer.ts";

/** Runs one query, and leaves what its plugin does not compute to scratch. */
type Run = (secured: SecuredQuery, caller: Caller) => Promise<RunAnswer>;

/** The groups of one part, with the columns of the groups of the whole query. */
interface PartAnswer extends Pick<RunAnswer, "plan" | "warnings"> {
  readonly part: MeasuredPart;
  readonly batch: Batch;
}

/**
 * Runs a query whose measures belong to several datasets: fetches the groups of each part in parallel, combines them,
 * and leaves formulas, having, cumulative sums, order and limit to scratch. A group that one part lacks has 0 for the
 * counts of that part, and null for its other measures. The first failure aborts the other parts.
 * @throws {PluginError} of the datasets' plugins or of scratch
 */
export async function runParts(
  secured: SecuredQuery,
  parts: readonly MeasuredPart[],
  scratch: Connection,
  caller: Caller,
  run: Run,
): Promise<RunAnswer> {
  const failing = new AbortController();
  const own = { ...caller, signal: AbortSignal.any([caller.signal, failing.signal]) };
  const running = parts.map((part) => runPart(part, scratch, own, run));
  let answers: readonly PartAnswer[];
  try {
    answers = await Promise.all(running);
  } catch (failure) {
    failing.abort();
    await Promise.allSettled(running);
    throw failure;
  }
  const { pushed, residual } = planGroups(secured);
  const types = pushed.columns.map(
    (_, index) => secured.types[residual.vectors.indexOf(index)] ?? "numeric",
  );
  const groups = await combine(answers, pushed.columns, types, scratch, caller);
  return {
    batch: await finish(residual, groups, scratch, caller),
    plan: planOf(secured, answers),
    warnings: answers.flatMap(({ warnings = [] }) => warnings),
  };
}

async function runPart(
  part: MeasuredPart,
  scratch: Connection,
  caller: Caller,
  run: Run,
): Promise<PartAnswer> {
  const { secured, fold, unmatched } = part;
  const [{ plan, batch }, warnings] = await Promise.all([
    run(secured, caller),
    unmatched ? warnOfUnmatched(unmatched, caller, run) : [],
  ]);
  const groups = fold ? await finish(fold, batch, scratch, caller) : batch;
  return { part, plan, batch: groups, warnings };
}

/** Says how many rows of a dataset its measures leave out, because they match no row of the finer dataset. */
async function warnOfUnmatched(
  { all, matched, measuredId, finerId }: UnmatchedRows,
  caller: Caller,
  run: Run,
): Promise<readonly string[]> {
  const [total, keys] = await Promise.all([run(all, caller), run(matched, caller)]);
  const [count] = total.batch.columns;
  const rowCount = count && count.type !== "hierarchy" ? (count.values[0] ?? 0) : 0;
  let matchCount = 0;
  for (let row = 0; row < keys.batch.rowCount; row++)
    if (keys.batch.columns.every((column) => !isNullAt(column, row))) matchCount++;
  const left = rowCount - matchCount;
  return left > 0
    ? [
        `${left} of ${rowCount} rows of dataset ${measuredId} match no row of dataset ${finerId}, so the measures of ${measuredId} do not include them. To include them, group and filter by columns that ${measuredId} determines`,
      ]
    : [];
}

function isNullAt(column: BatchColumn, row: number): boolean {
  return column.type === "hierarchy" ? column.codes[row] === -1 : Number.isNaN(column.values[row]);
}

/**
 * Combines the groups of all parts into one row per group, in scratch. The rows of every part are loaded one after
 * another, with null or 0 for the measures of the other parts. Each measure then has at most one value per group.
 */
async function combine(
  answers: readonly PartAnswer[],
  columns: readonly QueryColumn[],
  types: readonly DataType[],
  scratch: Connection,
  caller: Caller,
): Promise<Batch> {
  const rows = answers.map(({ part: { vectors }, batch }): Batch => ({
    rowCount: batch.rowCount,
    columns: columns.map(
      (column, index) =>
        batch.columns[vectors[index] ?? -1] ??
        emptyColumn(batch.rowCount, types[index] ?? "numeric", isCount(column)),
    ),
  }));
  const [only] = rows;
  if (only && rows.length === 1) return only;
  const loaded = types.map((type, index) => ({ id: String(index), type }));
  const loading = openLoading(
    { columns: loaded, vectors: types.map((_, index) => index) },
    scratch,
    caller,
  );
  try {
    for (const batch of rows.slice(1)) await loading.append(batch);
    const temporary = await loading.end(only ?? { rowCount: 0, columns: [] });
    const merged = columns.map((column, index): QueryColumn => ({
      column_id: String(index),
      ...(column.aggregation && { aggregation: isCount(column) ? "sum" : "max" }),
    }));
    return await scratch.query(
      { id: temporary.id, columns: merged, filters: [], options: { pushdown: true } },
      temporary,
      caller,
    );
  } finally {
    await loading.drop();
  }
}

function isCount({ aggregation }: QueryColumn): boolean {
  return aggregation !== undefined && aggregationDefinitions[aggregation].empty === 0;
}

function emptyColumn(rowCount: number, type: DataType, isZero: boolean): BatchColumn {
  if (type === "hierarchy")
    return { type, codes: new Int32Array(rowCount).fill(-1), dictionary: [] };
  return { type, values: new Float64Array(rowCount).fill(isZero ? 0 : Number.NaN) };
}

/** Returns the plan of the whole query. A clause is pushed if the plugins of all parts carry it out. */
function planOf(secured: SecuredQuery, answers: readonly PartAnswer[]): QueryPlan {
  const { query, limited } = secured;
  const byClause = Map.groupBy(
    answers.flatMap(({ plan }): readonly PlanStep[] => plan.steps),
    ({ clause }) => clause,
  );
  const ofParts = [...byClause.values()].flatMap(
    (steps) => steps.find(({ pushed }) => !pushed) ?? steps[0] ?? [],
  );
  const reason = "the host combines the measures of several datasets";
  const left: readonly PlanStep["clause"][] = [
    ...(query.having?.length ? (["having"] as const) : []),
    ...(query.order?.length ? (["order"] as const) : []),
    ...(query.groupLimit ? (["grouplimit"] as const) : []),
    ...(limited ? (["limit"] as const) : []),
  ];
  return {
    mode: "grouped",
    pushed: planGroups(secured).pushed,
    filters: answers.flatMap(({ plan }, part) => plan.filters.map((each) => ({ ...each, part }))),
    sent: [],
    residual: planGroups(secured).residual,
    steps: [
      ...ofParts.filter(({ clause }) => !left.includes(clause)),
      ...left.map((clause) => ({ clause, pushed: false, reason })),
    ],
  };
}

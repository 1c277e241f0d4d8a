import { aggregates } from "../aggregates.ts";
import { rowGroupSize } from "../column/segment/segment.ts";
import type { Dictionary } from "../column/texts/dictionary.ts";
import { EngineError } from "../errors.ts";
import {
  bindExpression,
  bindTest,
  type BoundColumnValue,
  type ExpressionSource,
} from "../expressions/bindExpression.ts";
import type { ExtendedTexts } from "../expressions/extendedTexts.ts";
import type { Memory } from "../memory/memory.ts";
import { orderedBytes } from "./orderedStates.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { DataType, GroupLimit, Output, OutputPredicate, Plan, Predicate } from "../types.ts";
import { bindGrouping } from "./bindGrouping.ts";
import { bindJoins, type FilteredRows } from "./bindJoins.ts";
import { bindLeaderKeys } from "./bindLeaderKeys.ts";
import type { BoundCell, BoundGrouping, BoundOrder, BoundPlan } from "./boundPlan.ts";
import { boundsOf } from "./boundsOf.ts";
import { checkAggregate } from "./checkAggregate.ts";
import { isComputedText } from "./isComputedText.ts";
import { PlanSource } from "./planSource.ts";
import { rankTexts } from "./rankTexts.ts";
import type { BoundRows, BoundText } from "../expressions/boundValue.ts";
import { withCode } from "../expressions/columnText.ts";

/**
 * A column of the answer: its type and, for a text column, its dictionary. Computed strings are part of the answer
 * itself.
 */
export interface AnswerColumn {
  readonly type: DataType;
  readonly text: BoundText | undefined;
  /** Reads single strings, if the strings come from a column of a table. */
  readonly dictionary?: Dictionary | ExtendedTexts | undefined;
}

export interface Binding {
  readonly plan: BoundPlan;
  readonly answer: readonly AnswerColumn[];
}

/**
 * Number of lanes for plans with sums that depend on the order of rows. Fewer lanes are used if each lane's states are
 * large.
 */
const orderedLanes = 16;
const fewLanes = 4;
const manyLaneBytes = 2 ** 22;
/** Number of lanes for all other plans, which is enough to distribute the work evenly. */
const plainLanes = 64;

/**
 * Binds a plan to one version of its tables: names become indices, strings become codes, and time zones and joins
 * become tables. `snapshots` contains the snapshots of the plan's table and of its joined tables, by table name.
 * `filtered` contains the rows of joins with a filter, by the name of the join.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN, TABLE_UNKNOWN, JOIN_AMBIGUOUS
 */
export function bindPlan(
  plan: Plan,
  snapshots: ReadonlyMap<string, Snapshot>,
  memory: Memory,
  filtered: ReadonlyMap<string, FilteredRows> = new Map(),
): Binding {
  const snapshot = snapshots.get(plan.table);
  if (!snapshot) throw new EngineError("TABLE_UNKNOWN", [plan.table]);
  const source = new PlanSource(snapshot);
  source.join(bindJoins(plan.joins ?? [], snapshots, source, memory, filtered));
  if (plan.outputs.length === 0)
    throw new EngineError("QUERY_PLAN", ["it needs at least one output"]);
  const filter = plan.filter && bindTest(plan.filter, source);
  const answer = plan.outputs.map((output) => bindAnswer(output, source));
  const grouping = plan.grouped ? bindGrouping(plan.outputs, source, filter) : undefined;
  const cells = plan.grouped
    ? undefined
    : plan.outputs.map((output): BoundCell => bindCell(output, source));
  if (plan.having && !plan.grouped)
    throw new EngineError("QUERY_PLAN", ["having needs a grouped plan"]);
  const having = plan.having && bindHaving(plan.having, answer, source);
  const order = (plan.order ?? []).map(({ output, descending }): BoundOrder => {
    const { text } = outputAt(answer, output);
    if (text) return { output, descending, ranks: rankTexts(text).ranks };
    const cell = cells?.[output];
    const bounds = cell?.kind === "number" ? boundsOf(cell.of, source.columns) : undefined;
    if (!bounds) return { output, descending };
    const { minimum, maximum, decimals } = bounds;
    return { output, descending, bounds: { minimum, maximum, isWhole: decimals === 0 } };
  });
  if (plan.limit && !(isCount(plan.limit.count) && isCount(plan.limit.offset)))
    throw new EngineError("QUERY_PLAN", [
      "limit.count and limit.offset must be whole numbers of at least 0",
    ]);
  const { groupLimit } = plan;
  if (groupLimit) checkGroupLimit(groupLimit, plan.outputs);
  const leaderKeys =
    groupLimit && cells ? bindLeaderKeys(plan.outputs, groupLimit, source) : undefined;
  plan.outputs.forEach((output) => checkSeries(output, plan.outputs));
  return {
    answer,
    plan: {
      rowCount: snapshot.rowCount,
      laneCount: laneCountOf(snapshot.rowCount, grouping),
      columns: source.boundColumns(),
      order,
      ...(filter && { filter }),
      ...(snapshot.deleted && { deleted: snapshot.deleted }),
      ...(grouping && { grouping }),
      ...(cells && { cells }),
      ...(having && { having }),
      ...(groupLimit && { groupLimit }),
      ...(leaderKeys && { leaderKeys }),
      ...(plan.limit && { limit: plan.limit }),
    },
  };
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

function checkGroupLimit(
  { count, offset, outputs: limited }: GroupLimit,
  outputs: readonly Output[],
): void {
  if (!(isCount(count) && isCount(offset)))
    throw new EngineError("QUERY_PLAN", [
      "groupLimit.count and groupLimit.offset must be whole numbers of at least 0",
    ]);
  const isKey = (output: number) => outputs[output]?.kind === "key";
  if (limited.length === 0 || !limited.every(isKey))
    throw new EngineError("QUERY_PLAN", [
      "groupLimit.outputs must list the indexes of one or more key outputs",
    ]);
}

function checkSeries(output: Output, outputs: readonly Output[]): void {
  if (output.kind !== "aggregate" || !output.per) return;
  const isKey = (each: number) => outputs[each]?.kind === "key";
  if (output.function === "cumulativesum" && output.per.length > 0 && output.per.every(isKey))
    return;
  throw new EngineError("QUERY_PLAN", [
    "per must list the indexes of one or more key outputs, and is only allowed for cumulativesum",
  ]);
}

/** Returns the number of lanes of a plan. It depends only on the grouping and the number of rows. */
export function laneCountOf(rowCount: number, grouping: BoundGrouping | undefined): number {
  const groupCount = Math.max(1, Math.ceil(rowCount / rowGroupSize));
  const groupBytes = grouping ? orderedBytes(grouping) : 0;
  if (!grouping || groupBytes === 0)
    return Math.min(groupCount, grouping ? plainLanes : orderedLanes);
  const isMany = grouping.mode === "hash" || groupBytes * grouping.capacity > manyLaneBytes;
  return Math.min(groupCount, isMany ? fewLanes : orderedLanes);
}

function bindAnswer(output: Output, source: PlanSource): AnswerColumn {
  if (output.kind !== "key" && output.kind !== "aggregate")
    throw new EngineError("QUERY_PLAN", ["an output must be a key or an aggregate"]);
  if (output.kind === "aggregate") checkAggregate(output);
  const isValue = output.kind === "key" || aggregates[output.function].result === "T";
  if (!isValue || !output.of) return { type: "number", text: undefined };
  const { type, of } = bindExpression(output.of, source);
  if (of.kind !== "text") return { type, text: undefined };
  return { type, text: of, dictionary: of.dictionary ?? of.extended };
}

function bindCell(output: Output, source: PlanSource): BoundCell {
  if (output.kind !== "key")
    throw new EngineError("QUERY_PLAN", ["an ungrouped plan may only have key outputs"]);
  const { of } = bindExpression(output.of, source);
  if (of.kind === "text") return { kind: "text", code: of.code };
  return isComputedText(of) ? { kind: "computed", of } : { kind: "number", of };
}

function outputAt(answer: readonly AnswerColumn[], index: number): AnswerColumn {
  const column = answer[index];
  if (!column) throw new EngineError("QUERY_PLAN", [`there is no output ${String(index)}`]);
  return column;
}

/**
 * Binds a predicate on outputs like a predicate on a row whose columns are the outputs. Predicates on computed strings
 * are evaluated row by row.
 */
function bindHaving(having: OutputPredicate, answer: readonly AnswerColumn[], source: PlanSource) {
  const made: BoundRows[] = [];
  const outputs: ExpressionSource = {
    column: (name): BoundColumnValue => {
      if (name.startsWith("test ")) return { type: "number", of: made[Number(name.slice(5))] };
      const index = Number(name.slice("output ".length));
      const { type, text } = outputAt(answer, index);
      if (type !== "text") return { type, of: { kind: "column", column: index } };
      const code = { kind: "byCode", column: index } as const;
      return {
        type,
        of: text ? withCode(text, code) : { kind: "text", texts: [], textCount: 0, code },
      };
    },
    floor: (of, period, timezone) => source.floor(of, period, timezone),
  };
  const bindLeaf = ({ output, ...leaf }: OutputLeaf): Predicate => {
    const name = `output ${output}`;
    const when = { ...leaf, left: { kind: "column", name } } as const;
    const { type, text } = outputAt(answer, output);
    if (type !== "text" || text) return when;
    bindTest(when, outputs);
    const then = { kind: "literal", type: "number", value: 1 } as const;
    const input = { kind: "text", texts: [], textCount: 0 } as const;
    const test = made.push({
      kind: "rows",
      expression: { kind: "case", branches: [{ when, then }] },
      type: "number",
      inputs: [
        { name, join: undefined, of: { ...input, code: { kind: "byCode", column: output } } },
      ],
    });
    const left = { kind: "column", name: `test ${test - 1}` } as const;
    return { kind: "compare", left, operator: "=", value: 1 };
  };
  return bindTest(toPredicate(having, bindLeaf), outputs);
}

type OutputLeaf = Exclude<OutputPredicate, { kind: "and" | "or" | "not" }>;

function toPredicate(
  having: OutputPredicate,
  bindLeaf: (leaf: OutputLeaf) => Predicate,
  depth = 0,
): Predicate {
  if (depth > 500)
    throw new EngineError("QUERY_PLAN", ["predicates may nest at most 500 levels deep"]);
  const follow = (part: OutputPredicate) => toPredicate(part, bindLeaf, depth + 1);
  if (having.kind === "and" || having.kind === "or")
    return { kind: having.kind, of: having.of.map(follow) };
  return having.kind === "not" ? { kind: "not", of: follow(having.of) } : bindLeaf(having);
}

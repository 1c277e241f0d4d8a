import { EngineError } from "../errors.ts";
import type { Snapshot } from "../table/snapshot.ts";
import type { OutputPredicate, Plan } from "../types.ts";
import { Binder, type AnswerColumn } from "./binder.ts";
import { bindPredicate, type Operand } from "./bindPredicate.ts";
import type { BoundPlan } from "./boundPlan.ts";
import { textOperand } from "./textOperand.ts";

export interface Binding {
  readonly plan: BoundPlan;
  readonly answer: readonly AnswerColumn[];
}

/**
 * Binds a plan to one version of its table: names become indices, texts become codes, time zones become tables.
 * @throws {EngineError} COLUMN_UNKNOWN, COLUMN_TYPE, QUERY_PLAN
 */
export function bindPlan(plan: Plan, snapshot: Snapshot): Binding {
  const binder = new Binder(snapshot);
  if (plan.outputs.length === 0) throw new EngineError("QUERY_PLAN", ["it has no outputs"]);
  const filter = plan.filter && binder.predicate(plan.filter);
  const answer = plan.outputs.map((output) => binder.answerColumn(output));
  const grouping = plan.grouped ? binder.grouping(plan.outputs) : undefined;
  const cells = plan.grouped ? undefined : plan.outputs.map((output) => binder.cell(output));
  if (plan.having && !plan.grouped)
    throw new EngineError("QUERY_PLAN", ["having needs a grouped plan"]);
  const having = plan.having && bindHaving(plan.having, answer);
  const order = (plan.order ?? []).map(({ output, descending }) => {
    const column = outputAt(answer, output);
    const ranks = column.source?.dictionary?.order().ranks;
    return ranks ? { output, descending, ranks } : { output, descending };
  });
  if (plan.limit && !(isCount(plan.limit.count) && isCount(plan.limit.offset)))
    throw new EngineError("QUERY_PLAN", [
      "limit.count and limit.offset must be whole numbers from 0",
    ]);
  return {
    answer,
    plan: {
      rowCount: snapshot.rowCount,
      columns: binder.columns.map((column) => column.segments),
      order,
      ...(filter && { filter }),
      ...(grouping && { grouping }),
      ...(cells && { cells }),
      ...(having && { having }),
      ...(plan.limit && { limit: plan.limit }),
    },
  };
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;

function outputAt(answer: readonly AnswerColumn[], index: number): AnswerColumn {
  const column = answer[index];
  if (!column) throw new EngineError("QUERY_PLAN", [`there is no output ${String(index)}`]);
  return column;
}

function bindHaving(having: OutputPredicate, answer: readonly AnswerColumn[]) {
  return bindPredicate(having, (leaf): Operand => {
    const { type, source } = outputAt(answer, leaf.output);
    const label = `output ${leaf.output}`;
    return source
      ? textOperand(label, leaf.output, source)
      : { kind: "number", label, type, of: { kind: "column", column: leaf.output } };
  });
}

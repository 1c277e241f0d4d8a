import { EngineError } from "../../errors.ts";
import { bindInSlices } from "../../expressions/keptByTexts.ts";
import type { TimeSlices } from "../../fair/index.ts";
import type { Memory } from "../../memory/memory.ts";
import { presentAnswer, showsMany } from "../../operators/output/presentAnswer.ts";
import type { FilteredRows } from "../../plan/bindJoins.ts";
import { bindPlan } from "../../plan/bindPlan.ts";
import type { Pool } from "../../pool/pool.ts";
import type { Snapshot } from "../../table/snapshot.ts";
import type { Answer, Plan, QueryOptions } from "../../types.ts";
import type { TableSet } from "../tables/tableSet.ts";
import type { FilteredJoins } from "./filteredJoins.ts";
import { runInSlices } from "./runInSlices.ts";

/** The parts of a store that are needed to answer a plan. */
export interface AnsweringParts {
  readonly tables: TableSet;
  readonly memory: Memory;
  readonly pool: Pool;
  readonly slices: TimeSlices;
  readonly filteredJoins: FilteredJoins;
}

/**
 * Answers a plan over snapshots of its tables: binds the plan, runs it in the threads and presents the answer.
 * `snapshots` is keyed by table name. Work on the calling thread is done in time slices.
 * @throws {EngineError} QUERY_CANCELLED, and the errors of binding and running a plan
 */
export async function answerPlan(
  plan: Plan,
  snapshots: ReadonlyMap<string, Snapshot>,
  { tables, memory, pool, slices, filteredJoins }: AnsweringParts,
  options: QueryOptions,
): Promise<Answer> {
  const { signal } = options;
  const bind = (each: Plan, rows?: ReadonlyMap<string, FilteredRows>) =>
    bindInSlices(
      () => bindPlan(each, snapshots, memory, rows),
      (steps) => runInSlices(steps, slices, options),
    );
  /** Runs the first step immediately, because most answers take only one step to present. */
  const presentInSlices = <Result>(steps: Generator<undefined, Result>) => {
    const { done, value } = steps.next();
    return done ? value : runInSlices(steps, slices, options);
  };
  const filtered = await filteredJoins.of(plan, {
    snapshots,
    bind: async (each) => (await bind(each)).plan,
    run: (each) => pool.run(each, options),
    isKept: (name) => !tables.find(name).table.temporary,
  });
  const { plan: bound, answer } = await bind(plan, filtered);
  if (signal?.aborted) throw new EngineError("QUERY_CANCELLED");
  const { columns, scannedRowCount, texts } = await pool.run(bound, options);
  const version = snapshots.get(plan.table)?.version ?? 0;
  for (const [index, { text, dictionary }] of answer.entries())
    if (dictionary && showsMany(columns[index].length, text?.textCount ?? 0))
      await presentInSlices(dictionary.makeStrings());
  return presentInSlices(presentAnswer(columns, answer, version, scannedRowCount, texts));
}

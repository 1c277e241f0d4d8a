import { EngineError } from "../../errors.ts";
import type { FilteredRows } from "../../plan/bindJoins.ts";
import type { BoundPlan } from "../../plan/boundPlan.ts";
import { answeredColumn } from "../../plan/joinedColumn.ts";
import type { PoolAnswer } from "../../pool/runPlan.ts";
import type { Snapshot } from "../../table/snapshot.ts";
import type { Join, Plan } from "../../types.ts";
import { joinedColumns } from "./plannedColumns.ts";

/** Maximum bytes of filtered rows to cache for later queries. */
const keptBytes = 2 ** 26;

interface Kept {
  readonly rows: FilteredRows;
  readonly sizeBytes: number;
}

export interface FilteredJoinsOptions {
  readonly snapshots: ReadonlyMap<string, Snapshot>;
  readonly bind: (plan: Plan) => Promise<BoundPlan>;
  readonly run: (plan: BoundPlan) => Promise<PoolAnswer>;
  /** Returns whether the filtered rows of a table are cached for later plans. */
  readonly isKept: (table: string) => boolean;
}

/**
 * Finds the rows that pass the filters of joins, by scanning the joined tables in the threads. The rows are cached for
 * later plans with the same filter and columns until the version of the table changes. The least recently used rows are
 * evicted first.
 */
export class FilteredJoins {
  readonly #kept = new Map<string, Kept>();
  #sizeBytes = 0;

  /**
   * Returns the filtered rows for a plan, by the name of the join. Joins without a filter have no entry, unless rows of
   * their table are deleted.
   * @throws {EngineError} TABLE_UNKNOWN, and the errors of binding the filter and of `run`
   */
  async of(plan: Plan, options: FilteredJoinsOptions): Promise<ReadonlyMap<string, FilteredRows>> {
    const filtered = new Map<string, FilteredRows>();
    for (const join of plan.joins ?? [])
      if (join.filter || options.snapshots.get(join.table)?.deleted)
        filtered.set(join.name, await this.#rowsOf(plan, join, options));
    return filtered;
  }

  async #rowsOf(
    plan: Plan,
    { name, table, filter }: Join,
    { snapshots, bind, run, isKept }: FilteredJoinsOptions,
  ): Promise<FilteredRows> {
    const snapshot = snapshots.get(table);
    if (!snapshot) throw new EngineError("TABLE_UNKNOWN", [table]);
    const columns = [...joinedColumns(plan, name)].toSorted();
    const key = keyOf([table, snapshot.version, columns, filter]);
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known.rows;
    }
    const outputs = columns.map(
      (column) => ({ kind: "key", of: { kind: "column", name: column } }) as const,
    );
    const answer = await run(
      await bind({ table, outputs, grouped: false, ...(filter && { filter }) }),
    );
    const rows = new Map(
      columns.flatMap((column, index) => {
        const definition = snapshot.columns.get(column);
        const values = answer.columns[index];
        return definition && values ? [[column, answeredColumn(definition, values)] as const] : [];
      }),
    );
    if (isKept(table)) {
      const valueCount = answer.columns.reduce((sum, { length }) => sum + length, 0);
      this.#keep(key, { rows, sizeBytes: key.length * 2 + valueCount * 8 });
    }
    return rows;
  }

  #keep(key: string, kept: Kept): void {
    this.#sizeBytes += kept.sizeBytes - (this.#kept.get(key)?.sizeBytes ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const [oldest, { sizeBytes }] of this.#kept) {
      if (this.#sizeBytes <= keptBytes) break;
      this.#kept.delete(oldest);
      this.#sizeBytes -= sizeBytes;
    }
  }
}

/** Returns JSON in which NaN and infinities differ from null. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (_member, each: unknown) =>
    typeof each === "number" && !Number.isFinite(each) ? { number: String(each) } : each,
  );
}

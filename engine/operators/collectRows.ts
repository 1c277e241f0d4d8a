import type { BoundCell, BoundPlan } from "../plan/boundPlan.ts";
import { gather } from "./group.ts";
import type { ValueSource } from "./rowGroupReader.ts";
import { sort } from "./sort.ts";

/** Collects the rows of an ungrouped plan, one lane of a query. With a limit it holds no more rows than can be in the answer, and as many again. */
export class RowCollector {
  readonly #plan: BoundPlan;
  readonly #cells: readonly BoundCell[];
  readonly #wanted: number;
  #columns: Float64Array[];
  #rowCount = 0;

  constructor(plan: BoundPlan, cells: readonly BoundCell[]) {
    this.#plan = plan;
    this.#cells = cells;
    this.#wanted = plan.limit ? plan.limit.offset + plan.limit.count : Infinity;
    this.#columns = cells.map(() => new Float64Array(0));
  }

  /** No further row can be in the answer. */
  get isFull(): boolean {
    return this.#plan.order.length === 0 && this.#rowCount >= this.#wanted;
  }

  add(source: ValueSource, selection: Int32Array | undefined): void {
    const rowCount = selection ? selection.length : source.rowCount;
    this.#reserve(this.#rowCount + rowCount);
    this.#cells.forEach((cell, index) => {
      const values = cell.kind === "text" ? source.codes(cell.column) : source.numbers(cell.of);
      const target = this.#columns[index];
      const offset = this.#rowCount;
      for (let row = 0; row < rowCount; row++)
        target[offset + row] = values[selection ? selection[row] : row];
    });
    this.#rowCount += rowCount;
    if (this.#rowCount > this.#wanted * 2) this.#cut();
  }

  finish(): Float64Array[] {
    if (this.#rowCount > this.#wanted) this.#cut();
    return this.#columns.map((column) => column.slice(0, this.#rowCount));
  }

  #cut(): void {
    const rows = sort(this.#columns, this.#plan.order, this.#rowCount).subarray(0, this.#wanted);
    rows.sort();
    this.#columns = this.#columns.map((column) => gather(column, rows));
    this.#rowCount = rows.length;
  }

  #reserve(rowCount: number): void {
    if (rowCount <= (this.#columns[0]?.length ?? 0)) return;
    this.#columns = this.#columns.map((column) => {
      const grown = new Float64Array(Math.max(rowCount, this.#rowCount * 2));
      grown.set(column.subarray(0, this.#rowCount));
      return grown;
    });
  }
}

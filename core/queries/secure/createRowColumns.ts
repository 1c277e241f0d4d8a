import type { Derived, Expression } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import { clockIn, type Now } from "../resolve/clock.ts";
import { createExpressions } from "../resolve/createExpressions.ts";
import type { QueriedColumn, QueriedDataset } from "../queriedDataset.ts";

/** Finds the columns of a dataset for its row filters. */
export interface RowColumns {
  /**
   * Finds a column, even a hidden one. For a derived column, returns the column that is computed for the filter.
   * @throws {ApiError} MEMBER_INVALID for a derived column that cannot be computed; the message names no other column
   */
  columnOf(id: string, path: string): QueriedColumn | undefined;
  /** Returns the expression of a found column: the column itself, or the expression of a derived column. */
  expressionOf(column: QueriedColumn): Expression;
  /** Returns a test that is computed per row, as a column of 1 and 0. */
  testOf(expression: Expression): QueriedColumn;
  /** Returns the derived columns found so far. Their ids are not in `taken`. */
  derived(): readonly Derived[];
}

/**
 * Creates the column finder for row filters. Derived columns may read every column of the dataset. Their time zone is
 * UTC, so that the time zone of a query cannot change which rows its caller may see.
 */
export function createRowColumns(
  { id: datasetId, everyColumn }: Pick<QueriedDataset, "id" | "everyColumn">,
  taken: Set<string>,
  now: Now,
): RowColumns {
  const expressions = createExpressions(
    [{ id: datasetId, columns: everyColumn }],
    clockIn("UTC", now),
  );
  const found = new Map<string, Derived>();
  const freshId = (): string => {
    for (let index = found.size; ; index++) {
      const id = `secured.${index}`;
      if (taken.has(id)) continue;
      taken.add(id);
      return id;
    }
  };
  const compiled = (source: string, path: string): Derived => {
    try {
      return expressions.derived(source, freshId(), path, datasetId);
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause;
      throw new ApiError(
        "MEMBER_INVALID",
        [
          path,
          "the expression of this derived column cannot be computed; validate the column to see why",
        ],
        { cause },
      );
    }
  };
  return {
    columnOf(id, path) {
      const column = everyColumn.get(id);
      if (column?.expression === undefined) return column;
      const derived = found.get(id) ?? compiled(column.expression, path);
      found.set(id, derived);
      const { type, subtype } = derived;
      return { ...column, pluginId: derived.id, type, subtype, unserved: undefined };
    },
    expressionOf({ pluginId }) {
      const made = [...found.values()].find(({ id }) => id === pluginId);
      return made?.expression ?? { kind: "column", column_id: pluginId };
    },
    testOf(expression) {
      const key = JSON.stringify(expression);
      const derived = found.get(key) ?? { id: freshId(), type: "numeric", expression };
      found.set(key, derived);
      const { id, type } = derived;
      const name = "a test of several columns";
      return { id, pluginId: id, name, type, subtype: undefined, unserved: undefined };
    },
    derived: () => [...found.values()],
  };
}

import {
  aggregationDefinitions,
  type Batch,
  type BatchColumn,
  type Cell,
  type QueryColumn,
} from "../../../plugins/protocol/index.ts";
import { appendCells, cellAt, columnAt } from "../finish/batchCells.ts";
import { visitInSlices } from "../finish/visitInSlices.ts";

/** The groups of an earlier period, whose datetimes are moved to the present. */
export interface PastAnswer {
  readonly rowCount: number;
  /** The keys of the groups, one column per dimension of the query. */
  readonly keys: readonly BatchColumn[];
  /** Indexes of the dimensions that are moved. */
  readonly movedKeys: readonly number[];
  /** The values of the earlier period, by the id of their calculation. */
  readonly values: ReadonlyMap<string, BatchColumn>;
}

/** Groups with those that occur only in an earlier period, and one column of values per calculation. */
export interface GroupsWithPast {
  readonly groups: Batch;
  readonly pasts: ReadonlyMap<string, BatchColumn>;
}

/**
 * Aligns the values of earlier periods with the groups of a query. Adds the groups that occur only in an earlier period
 * if their moved datetimes occur in the query: in added groups, counts are 0 and all other measures null. `columns`
 * describes the columns of `groups`, and `keys` lists the column of each dimension. O(groups * dimensions). Yields
 * after each short step.
 */
export function* addPastGroups(
  groups: Batch,
  columns: readonly QueryColumn[],
  keys: readonly number[],
  answers: readonly PastAnswer[],
): Generator<undefined, GroupsWithPast> {
  const own = keys.map((key) => columnAt(groups, key));
  const rows = new Map<string, number>();
  yield* visitInSlices(groups.rowCount, (row) => rows.set(keyAt(own, row), row));
  const periods = new Map<number, Set<Cell>>();
  for (const key of new Set(answers.flatMap(({ movedKeys }) => movedKeys))) {
    const cells = new Set<Cell>();
    const column = own[key];
    if (column) yield* visitInSlices(groups.rowCount, (row) => cells.add(cellAt(column, row)));
    periods.set(key, cells);
  }
  const added: { readonly keys: readonly BatchColumn[]; readonly row: number }[] = [];
  const aligned: { readonly answer: PastAnswer; readonly rowOf: ReadonlyMap<number, number> }[] =
    [];
  for (const answer of answers) {
    const rowOf = new Map<number, number>();
    const isPresent = (row: number) =>
      answer.movedKeys.every((key) => {
        const column = answer.keys[key];
        return column !== undefined && periods.get(key)?.has(cellAt(column, row));
      });
    yield* visitInSlices(answer.rowCount, (row) => {
      const key = keyAt(answer.keys, row);
      let place = rows.get(key);
      if (place === undefined) {
        if (!isPresent(row)) return;
        place = groups.rowCount + added.push({ keys: answer.keys, row }) - 1;
        rows.set(key, place);
      }
      rowOf.set(place, row);
    });
    aligned.push({ answer, rowOf });
  }
  const rowCount = groups.rowCount + added.length;
  const whole: BatchColumn[] = [];
  for (const [index, { aggregation }] of columns.entries()) {
    const dimension = keys.indexOf(index);
    const cellOf = (row: number): Cell => {
      if (aggregation) return aggregationDefinitions[aggregation].empty;
      const { keys: cells, row: at = 0 } = added[row] ?? {};
      const column = cells?.[dimension];
      return column ? cellAt(column, at) : null;
    };
    whole.push(yield* appendCells(columnAt(groups, index), added.length, cellOf));
  }
  const pasts = new Map<string, BatchColumn>();
  for (const { answer, rowOf } of aligned)
    for (const [id, column] of answer.values) {
      const values = new Float64Array(rowCount).fill(Number.NaN);
      yield* visitInSlices(rowCount, (row) => {
        const at = rowOf.get(row);
        const cell = at === undefined ? null : cellAt(column, at);
        if (typeof cell === "number") values[row] = cell;
      });
      pasts.set(id, { type: "numeric", values });
    }
  return { groups: { rowCount, columns: whole }, pasts };
}

function keyAt(columns: readonly BatchColumn[], row: number): string {
  return JSON.stringify(columns.map((column) => cellAt(column, row)));
}

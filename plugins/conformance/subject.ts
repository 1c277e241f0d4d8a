import type { Capabilities, Cell, Column, DataType, Dataset } from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";
import type { JoinableTable } from "./answerQuery.ts";

/** A dataset under test, with all its rows. */
export interface Subject {
  readonly dataset: Dataset;
  readonly table: JoinableTable;
  readonly capabilities: Capabilities;
  /** The distinct values of each column, except null. */
  readonly values: ReadonlyMap<string, readonly Exclude<Cell, null>[]>;
  /** The other datasets under test, which a query may join. */
  readonly others: readonly Subject[];
}

/** Creates the test subject for a dataset and its rows. O(cells). */
export function subjectOf(
  dataset: Dataset,
  table: PlainTable,
  capabilities: Capabilities,
): Subject {
  const values = new Map(
    dataset.columns.map(({ id }) => {
      const distinct = new Set(table.rows.map((row) => row[id] ?? null));
      return [id, [...distinct].filter((cell) => cell !== null)] as const;
    }),
  );
  return { dataset, table, capabilities, values, others: [] };
}

/** Adds to each subject the other subjects that queries of the subject may join. */
export function joinable(subjects: readonly Subject[]): readonly Subject[] {
  return subjects.map((subject) => {
    const others = subjects.filter((other) => other !== subject);
    const tables = new Map(others.map(({ dataset, table }) => [dataset.id, table]));
    return { ...subject, table: { ...subject.table, others: tables }, others };
  });
}

/** Lists the columns that can be group keys. If `type` is set, lists only columns of this type. */
export function keyColumns({ dataset }: Subject, type?: DataType): readonly Column[] {
  return columnsOf(dataset, type).filter(({ narrowed }) => narrowed?.grouping !== false);
}

/** Lists the columns by which rows can be sorted. If `type` is set, lists only columns of this type. */
export function sortableColumns({ dataset }: Subject, type?: DataType): readonly Column[] {
  return columnsOf(dataset, type).filter(({ narrowed }) => narrowed?.order !== false);
}

export function columnsOf({ columns }: Dataset, type?: DataType): readonly Column[] {
  return columns.filter((column) => type === undefined || column.type === type);
}

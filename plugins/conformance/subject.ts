import type { Capabilities, Cell, Column, DataType, Dataset } from "../protocol/index.ts";
import type { PlainTable } from "./answerPlainly.ts";
import type { JoinableTable } from "./answerQuery.ts";

/** A dataset that is checked, with all its rows. */
export interface Subject {
  readonly dataset: Dataset;
  readonly table: JoinableTable;
  readonly capabilities: Capabilities;
  /** The distinct values of each column, without null. */
  readonly values: ReadonlyMap<string, readonly Exclude<Cell, null>[]>;
  /** The other checked datasets, which a query may join. */
  readonly others: readonly Subject[];
}

/** Creates the subject for a dataset and its rows. O(cells). */
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

/** Lets each subject join the others. */
export function joinable(subjects: readonly Subject[]): readonly Subject[] {
  return subjects.map((subject) => {
    const others = subjects.filter((other) => other !== subject);
    const tables = new Map(others.map(({ dataset, table }) => [dataset.id, table]));
    return { ...subject, table: { ...subject.table, others: tables }, others };
  });
}

/** Lists the columns that can be group keys, of one type if `type` is given. */
export function keyColumns({ dataset }: Subject, type?: DataType): readonly Column[] {
  return columnsOf(dataset, type).filter(({ narrowed }) => narrowed?.grouping !== false);
}

/** Lists the columns that rows can be sorted by, of one type if `type` is given. */
export function sortableColumns({ dataset }: Subject, type?: DataType): readonly Column[] {
  return columnsOf(dataset, type).filter(({ narrowed }) => narrowed?.order !== false);
}

export function columnsOf({ columns }: Dataset, type?: DataType): readonly Column[] {
  return columns.filter((column) => type === undefined || column.type === type);
}

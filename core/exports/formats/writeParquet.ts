import { ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import type { AnsweredTable, TableColumn } from "../../queries/index.ts";

/** Rows per row group. All rows of a row group are written at once. */
const groupRowCount = 2 ** 14;

const types = { number: "DOUBLE", datetime: "TIMESTAMP", text: "STRING" } as const;

/**
 * Writes a table as Parquet, one row group at a time: numbers as doubles, instants as timestamps in UTC milliseconds,
 * and strings as stored. At most one row group is in memory. O(cells).
 */
export function* writeParquet({
  columns,
  rowCount,
}: Pick<AnsweredTable, "columns" | "rowCount">): Generator<Uint8Array, void> {
  const writer = new ByteWriter();
  const take = (): Uint8Array => {
    const bytes = Uint8Array.from(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  const groupOf = (from: number, to: number) =>
    columns.map((column) => ({
      name: column.name,
      type: types[column.type],
      nullable: true,
      data: valuesOf(column, from, to),
    }));
  const schema = schemaFromColumnData({ columnData: groupOf(0, 0) });
  const file = new ParquetWriter({ writer, schema, createdBy: "manifold" });
  for (let from = 0; from < rowCount; from += groupRowCount) {
    const to = Math.min(rowCount, from + groupRowCount);
    const columnData = groupOf(from, to).map(({ name, data }) => ({ name, data }));
    void file.write({ columnData, rowGroupSize: groupRowCount });
    yield take();
  }
  void file.finish();
  yield take();
}

function valuesOf(
  column: TableColumn,
  from: number,
  to: number,
): (number | string | Date | null)[] {
  const values: (number | string | Date | null)[] = [];
  for (let row = from; row < to; row++) {
    const value = column.type === "text" ? column.id(row) : column.number(row);
    const isNull = value === null || Number.isNaN(value);
    if (isNull) values.push(null);
    else values.push(column.type === "datetime" ? new Date(value) : value);
  }
  return values;
}

import Type, { type Static, type TSchema, type TUnsafe } from "typebox";
import type { Batch } from "./batch.ts";
import { DataType } from "./dataType.ts";
import { named, readonlyArray } from "./schemas.ts";

/** A column that a write creates. */
export const WriteColumn = Type.Object({ id: Type.String(), type: DataType });
export interface WriteColumn extends Readonly<Static<typeof WriteColumn>> {}

const Columns = readonlyArray(named<WriteColumn>(WriteColumn));

/** The schema of a write whose rows have the schema `rows`. */
function writeOf<Rows extends TSchema>(rows: Rows) {
  return Type.Union([
    Type.Object({
      action: Type.Literal("create"),
      id: Type.String(),
      columns: Columns,
      temporary: Type.Optional(Type.Boolean()),
      /** Rows are appended next, and nobody else knows the dataset before: a store may choose types by them. */
      rowsFollow: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      action: Type.Literal("append"),
      id: Type.String(),
      rows,
      addColumns: Type.Optional(Columns),
      /** Names this write: a store of several hosts takes rows of one name once. */
      writeId: Type.Optional(Type.String()),
      /** A write of this name was sent before, and nobody knows what became of it. */
      isRepeated: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      action: Type.Literal("replace"),
      id: Type.String(),
      rows,
      columns: Type.Optional(Columns),
    }),
    Type.Object({
      action: Type.Literal("alter"),
      id: Type.String(),
      add: Type.Optional(Columns),
      drop: Type.Optional(readonlyArray(Type.String())),
    }),
    Type.Object({ action: Type.Literal("drop"), id: Type.String() }),
  ]);
}

/** A batch whose columns are named by column id. Columns of the dataset that are not named are null. */
export interface NamedBatch {
  readonly columnIds: readonly string[];
  readonly batch: Batch;
}

/** One change of a stored dataset. It is durable when the promise resolves, whole or not at all. */
export type Write = Readonly<Static<ReturnType<typeof writeOf<TUnsafe<NamedBatch>>>>>;

/** A write as the body of /write carries it; `batch` is a columnar answer. */
export const WireWrite = writeOf(
  Type.Object({
    columnIds: readonlyArray(Type.String()),
    batch: Type.Object({
      rowCount: Type.Integer({ minimum: 0 }),
      columns: Type.Array(Type.Unknown()),
    }),
  }),
);

import Type, { type Static, type TSchema, type TUnsafe } from "typebox";
import type { Batch } from "./batch.ts";
import { DataType } from "./dataType.ts";
import { named, readonlyArray } from "./schemas.ts";

/** A column that a write creates: its id and logical type. */
export const WriteColumn = Type.Object({ id: Type.String(), type: DataType });
export interface WriteColumn extends Readonly<Static<typeof WriteColumn>> {}

const Columns = readonlyArray(named<WriteColumn>(WriteColumn));

/** Returns the schema of a write whose rows have the schema `rows`. */
function writeOf<Rows extends TSchema>(rows: Rows) {
  return Type.Union([
    Type.Object({
      action: Type.Literal("create"),
      id: Type.String(),
      columns: Columns,
      temporary: Type.Optional(Type.Boolean()),
      /**
       * Whether rows are written before the dataset becomes known to anyone else. A store may then choose column types
       * by these rows.
       */
      rowsFollow: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      action: Type.Literal("append"),
      id: Type.String(),
      rows,
      addColumns: Type.Optional(Columns),
      /** Identifies the write. A store that several hosts share applies the writes of one id only once. */
      writeId: Type.Optional(Type.String()),
      /** Whether a write with the same id was sent before, with an unknown outcome. */
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

/** A batch with the ids of its columns. Any other column of the dataset is null in these rows. */
export interface NamedBatch {
  readonly columnIds: readonly string[];
  readonly batch: Batch;
}

/**
 * A change of a stored dataset. It is applied either completely or not at all, and is durable once the promise
 * resolves.
 */
export type Write = Readonly<Static<ReturnType<typeof writeOf<TUnsafe<NamedBatch>>>>>;

/** A write as the body of /write contains it, with a columnar answer as `batch`. */
export const WireWrite = writeOf(
  Type.Object({
    columnIds: readonlyArray(Type.String()),
    batch: Type.Object({
      rowCount: Type.Integer({ minimum: 0 }),
      columns: Type.Array(Type.Unknown()),
    }),
  }),
);

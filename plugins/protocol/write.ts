import Type, { type Static, type TSchema, type TUnsafe } from "typebox";
import type { Batch } from "./batch.ts";
import { CellsOfColumn } from "./cells.ts";
import { DataType } from "./dataType.ts";
import { named, readonlyArray } from "./schemas.ts";

/** A column that a write creates: its id and logical type. */
export const WriteColumn = Type.Object({
  /** Id of the new column. */
  id: Type.String(),
  /** Logical type of the new column. */
  type: DataType,
});
export interface WriteColumn extends Readonly<Static<typeof WriteColumn>> {}

const Columns = readonlyArray(named<WriteColumn>(WriteColumn));

/** Returns the schema of a write whose rows have the schema `rows`. */
function writeOf<Rows extends TSchema>(rows: Rows) {
  return Type.Union([
    Type.Object({
      /** Creates an empty dataset. */
      action: Type.Literal("create"),
      /** Id of the new dataset. */
      id: Type.String(),
      /** The columns of the new dataset. */
      columns: Columns,
      /**
       * Whether the dataset is deleted when the plugin closes. Needs the capability `temporary`.
       * @default false
       */
      temporary: Type.Optional(Type.Boolean()),
      /**
       * Whether the writer appends rows before anyone else can see the dataset. A store may then choose column types
       * that fit these rows.
       * @default false
       */
      rowsFollow: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      /** Adds rows to a dataset. */
      action: Type.Literal("append"),
      /** Id of the dataset. */
      id: Type.String(),
      /** The rows to add. */
      rows,
      /** Columns to add to the dataset first. They are null in its present rows. */
      addColumns: Type.Optional(Columns),
      /**
       * Identifies the write. A store that several hosts share applies a write only once, even if it receives the same
       * id repeatedly.
       */
      writeId: Type.Optional(Type.String()),
      /**
       * Whether the host has sent a write with the same id before and does not know its outcome.
       * @default false
       */
      isRepeated: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      /** Replaces all rows of a dataset. */
      action: Type.Literal("replace"),
      /** Id of the dataset. */
      id: Type.String(),
      /** The rows of the dataset from now on. */
      rows,
      /** The columns of the dataset from now on. Absent: the columns stay as they are. */
      columns: Type.Optional(Columns),
    }),
    Type.Object({
      /**
       * Replaces or deletes rows by key: each of the given rows takes the place of all stored rows with its key.
       * Columns that the rows lack keep their values, and are null in inserted rows. Needs the capability `update`.
       */
      action: Type.Literal("update"),
      /** Id of the dataset. */
      id: Type.String(),
      /** The rows. Each key occurs once, and no column of the key is null. */
      rows,
      /** Ids of the columns that identify a row. The rows contain these columns. */
      key: readonlyArray(Type.String()),
      /**
       * What happens to a given row whose key no stored row has: the store inserts it, ignores it, or refuses the
       * write. Absent: `insert`, or `ignore` if `deletes` is set.
       */
      missing: Type.Optional(
        Type.Union([Type.Literal("insert"), Type.Literal("ignore"), Type.Literal("refuse")]),
      ),
      /**
       * Whether the stored rows with these keys are deleted instead of replaced.
       * @default false
       */
      deletes: Type.Optional(Type.Boolean()),
    }),
    Type.Object({
      /** Adds and removes columns of a dataset. */
      action: Type.Literal("alter"),
      /** Id of the dataset. */
      id: Type.String(),
      /** The columns to add. They are null in the present rows. */
      add: Type.Optional(Columns),
      /** Ids of the columns to remove. */
      drop: Type.Optional(readonlyArray(Type.String())),
    }),
    Type.Object({
      /** Deletes a dataset and its rows. */
      action: Type.Literal("drop"),
      /** Id of the dataset. */
      id: Type.String(),
    }),
  ]);
}

/** A batch with the ids of its columns. Any other column of the dataset is null in these rows. */
export interface NamedBatch {
  readonly columnIds: readonly string[];
  readonly batch: Batch;
}

/**
 * A change to a stored dataset. It is applied either completely or not at all, and is durable once the promise of
 * `write` resolves.
 */
export type Write = Readonly<Static<ReturnType<typeof writeOf<TUnsafe<NamedBatch>>>>>;

/** A write in the form that the body of /write contains. Its rows are columns of cells, as in a columnar answer. */
export const WireWrite = writeOf(
  Type.Object({
    columnIds: readonlyArray(Type.String()),
    batch: Type.Object({
      rowCount: Type.Integer({ minimum: 0 }),
      columns: Type.Array(Type.Unknown()),
    }),
  }),
);

/** The rows of a write, in their form on the wire. Any other column of the dataset is null in these rows. */
export const WrittenRows = Type.Object({
  /** Ids of the written columns, in the order of `batch.columns`. */
  columnIds: readonlyArray(Type.String()),
  /** The cells of the rows. */
  batch: Type.Object({
    /** Number of rows, which is the number of cells in each column. */
    rowCount: Type.Integer({ minimum: 0 }),
    /** One column of cells per entry of `columnIds`. */
    columns: readonlyArray(named<CellsOfColumn>(CellsOfColumn)),
  }),
});
export interface WrittenRows extends Readonly<Static<typeof WrittenRows>> {}

/**
 * A change to a stored dataset, in its form on the wire. The schema accepts the same writes as `WireWrite`. `WireWrite`
 * does not check the cells, because a faster function does.
 */
export const WriteAction = writeOf(named<WrittenRows>(WrittenRows));
export type WriteAction = Readonly<Static<typeof WriteAction>>;

import Type from "typebox";
import { Value } from "typebox/value";
import { batchOfColumnar, columnarOfBatch } from "./cells.ts";
import { DataType } from "./dataset.ts";
import { PluginError } from "./errors.ts";
import type { Write } from "./plugin.ts";

const Columns = Type.Array(Type.Object({ id: Type.String(), type: DataType }));
const Rows = Type.Object({
  columnIds: Type.Array(Type.String()),
  batch: Type.Object({
    rowCount: Type.Integer({ minimum: 0 }),
    columns: Type.Array(Type.Unknown()),
  }),
});
const WireWrite = Type.Union([
  Type.Object({
    action: Type.Literal("create"),
    id: Type.String(),
    columns: Columns,
    temporary: Type.Optional(Type.Boolean()),
  }),
  Type.Object({
    action: Type.Literal("append"),
    id: Type.String(),
    rows: Rows,
    addColumns: Type.Optional(Columns),
  }),
  Type.Object({
    action: Type.Literal("replace"),
    id: Type.String(),
    rows: Rows,
    columns: Type.Optional(Columns),
  }),
  Type.Object({
    action: Type.Literal("alter"),
    id: Type.String(),
    add: Type.Optional(Columns),
    drop: Type.Optional(Type.Array(Type.String())),
  }),
  Type.Object({ action: Type.Literal("drop"), id: Type.String() }),
]);

/**
 * Reads the `write` of a body of /write.
 * @throws {PluginError} PLUGIN_MALFORMED that names what is not as it must be
 */
export function parseWrite(body: unknown): Write {
  if (!Value.Check(WireWrite, body)) {
    const [error] = Value.Errors(WireWrite, body);
    const where = error?.instancePath || "/";
    throw new PluginError("PLUGIN_MALFORMED", [
      `write ${where} ${error?.message ?? "is not valid"}`,
    ]);
  }
  if (!("rows" in body)) return body as Write;
  const { columnIds } = body.rows;
  const { columns } = body.rows.batch;
  if (columnIds.length !== columns.length)
    throw new PluginError("PLUGIN_MALFORMED", [
      `write has ${columns.length} columns for ${columnIds.length} columnIds`,
    ]);
  try {
    const batch = batchOfColumnar(body.rows.batch, columnIds);
    return { ...body, rows: { columnIds, batch } } as Write;
  } catch (cause) {
    const detail =
      cause instanceof PluginError ? cause.details.join(" ") : "the rows are not valid";
    throw new PluginError("PLUGIN_MALFORMED", [detail], { cause });
  }
}

/** Writes a `Write` as the body of /write carries it. */
export function presentWrite(write: Write): unknown {
  if (!("rows" in write)) return write;
  const { columnIds, batch } = write.rows;
  return { ...write, rows: { columnIds, batch: columnarOfBatch(batch) } };
}

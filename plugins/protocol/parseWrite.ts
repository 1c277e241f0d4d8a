import { Value } from "typebox/value";
import { batchOfColumnar, columnarOfBatch } from "./cells.ts";
import { PluginError } from "./errors.ts";
import { WireWrite, type Write } from "./write.ts";

/**
 * Parses the member `write` of the body of /write.
 * @throws {PluginError} PLUGIN_MALFORMED that names the first invalid member
 */
export function parseWrite(body: unknown): Write {
  if (!Value.Check(WireWrite, body)) {
    const [error] = Value.Errors(WireWrite, body);
    const where = error?.instancePath || "/";
    throw new PluginError("PLUGIN_MALFORMED", [
      `write ${where} ${error?.message ?? "is not valid"}`,
    ]);
  }
  if (!("rows" in body)) return body;
  const { columnIds } = body.rows;
  const { columns } = body.rows.batch;
  if (columnIds.length !== columns.length)
    throw new PluginError("PLUGIN_MALFORMED", [
      `write must have one column per entry of columnIds (${columnIds.length}), not ${columns.length}`,
    ]);
  try {
    const batch = batchOfColumnar(body.rows.batch, columnIds);
    return { ...body, rows: { columnIds, batch } };
  } catch (cause) {
    const detail =
      cause instanceof PluginError ? cause.details.join(" ") : "the rows are not valid";
    throw new PluginError("PLUGIN_MALFORMED", [detail], { cause });
  }
}

/** Converts a `Write` to its form in the body of /write. */
export function presentWrite(write: Write): unknown {
  if (!("rows" in write)) return write;
  const { columnIds, batch } = write.rows;
  return { ...write, rows: { columnIds, batch: columnarOfBatch(batch) } };
}

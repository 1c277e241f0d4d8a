import { mkdirSync } from "node:fs";
import type { DuckDBConnection, DuckDBInstance, DuckDBValue } from "@duckdb/node-api";
import { serveReader, type ServedCall } from "../../plugins/rows/serving/index.ts";
import { loadDuckdb, type Duckdb } from "./loadDuckdb.ts";
import type { DuckdbRequest, DuckdbRows } from "./messages.ts";
import { openSource } from "./openSource.ts";

/**
 * Milliseconds between interrupts of a running call. The process repeats them, because an interrupt that arrives before
 * the statement starts has no effect.
 */
const interruptEveryMs = 50;

let opening: Promise<DuckDBInstance> | undefined;

/**
 * Serves requests for a single source in this process, because DuckDB is native code that parses untrusted files. The
 * protocol's modules are loaded only when a statement is refused, because loading them takes longer than loading the
 * engine.
 */
serveReader<DuckdbRequest, DuckdbRows>(
  async ({ source, scratch, driverUrl, text, values }, { signal, send }) => {
    const duckdb = await loadDuckdb(driverUrl);
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    opening ??= openSource(duckdb, source, scratch);
    const connection = await connect(opening);
    const stopInterrupts = interruptAt(signal, connection);
    try {
      await run(duckdb, connection, { text, values, send, signal });
    } finally {
      stopInterrupts();
      connection.closeSync();
    }
  },
);

/** Connects to an engine. If the source could not be opened, the next call opens it again. */
async function connect(instance: Promise<DuckDBInstance>): Promise<DuckDBConnection> {
  try {
    return await (await instance).connect();
  } catch (failure) {
    opening = undefined;
    throw failure;
  }
}

/** A statement to run, and the call that receives its rows. */
type Run = Pick<DuckdbRequest, "text" | "values"> & Pick<ServedCall<DuckdbRows>, "send" | "signal">;

async function run(
  { listValue, LIST, DOUBLE, VARCHAR, StatementType }: Duckdb,
  connection: DuckDBConnection,
  { text, values, send, signal }: Run,
): Promise<void> {
  const prepared = await connection.prepare(text);
  try {
    if (prepared.statementType !== StatementType.SELECT) {
      const { PluginError } = await import("../../plugins/protocol/index.ts");
      throw new PluginError("PLUGIN_INVALID", [
        "the statement does more than read; write a SELECT",
      ]);
    }
    values.forEach((value, index) => {
      if (typeof value === "number") prepared.bindDouble(index + 1, value);
      else if (typeof value === "string") prepared.bindVarchar(index + 1, value);
      else if (!Array.isArray(value)) prepared.bindNull(index + 1);
      else {
        const type = LIST(typeof value[0] === "number" ? DOUBLE : VARCHAR);
        prepared.bindValue(index + 1, listValue(value.map(valueOf)), type);
      }
    });
    const result = await prepared.stream();
    for (;;) {
      const chunk = await result.fetchChunk();
      // An interrupted stream ends without an error, so the abort is reported here.
      signal.throwIfAborted();
      if (!chunk || chunk.rowCount === 0) return;
      await send(chunk.getRows());
    }
  } finally {
    prepared.destroySync();
  }
}

/** Interrupts the connection when `signal` is aborted. Call the returned function once the statement has ended. */
function interruptAt(signal: AbortSignal, connection: DuckDBConnection): () => void {
  let timer: NodeJS.Timeout | undefined;
  const interrupt = () => {
    connection.interrupt();
    timer = setTimeout(interrupt, interruptEveryMs);
  };
  signal.addEventListener("abort", interrupt, { once: true });
  return () => {
    signal.removeEventListener("abort", interrupt);
    clearTimeout(timer);
  };
}

/** Converts a parameter value of this dialect for the driver: a number, a string, null, or a list of these values. */
function valueOf(value: unknown): DuckDBValue {
  return typeof value === "number" || typeof value === "string" ? value : null;
}

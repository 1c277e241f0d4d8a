/**
 * Runs a ClickHouse server in this process: `node --experimental-ffi clickhouseProcess.ts <library> <configuration>
 * <data folder> [tcp]`. The chdb library contains the command line of clickhouse-local, whose first statement opens the
 * HTTP port. With `tcp`, the next statement opens the port of the server's native protocol. The process exits when its
 * standard input closes, so that it does not outlive the process that started it.
 */
import { argv } from "node:process";
import { Worker } from "node:worker_threads";

/** The part of `node:ffi` that this file uses. @types/node does not declare it yet. */
interface Ffi {
  dlopen(
    path: string,
    symbols: Readonly<
      Record<string, { readonly arguments: readonly string[]; readonly return: string }>
    >,
  ): { readonly functions: Readonly<Record<string, (...values: unknown[]) => bigint>> };
  getRawPointer(memory: ArrayBufferView): bigint;
  toString(pointer: bigint): string;
}

// TypeScript does not resolve a module name that is in a variable.
const ffiModule = "node:ffi";
const { dlopen, getRawPointer, toString } = (await import(ffiModule)) as Ffi;

const [, , library = "", configuration = "", dataDir = "", tcp] = argv;

// The main thread never returns from the library, so another thread waits for the end of the input.
const watch = new Worker(
  `const input = new (require("node:net").Socket)({ fd: 0, writable: false });
   input.resume().on("error", () => undefined).on("close", () => process.kill(process.pid, "SIGKILL"));`,
  { eval: true },
);
watch.unref();

// The process runs as long as its script. The script sleeps in blocks of one row, because the limit on the duration of
// a sleep applies to each block.
const script = `SYSTEM START LISTEN HTTP;${tcp === undefined ? "" : "SYSTEM START LISTEN TCP;"}
SELECT sleepEachRow(3) FROM system.numbers
SETTINGS max_block_size = 1, function_sleep_max_microseconds_per_block = 0 FORMAT Null`;
const texts = [
  "clickhouse",
  `--config-file=${configuration}`,
  `--path=${dataDir}`,
  `--query=${script}`,
].map((text) => Buffer.from(`${text}\0`));
const { functions } = dlopen(library, {
  chdb_query_cmdline: { arguments: ["int32", "pointer"], return: "pointer" },
  chdb_result_error: { arguments: ["pointer"], return: "pointer" },
});
const result = functions["chdb_query_cmdline"]!(
  texts.length,
  getRawPointer(new BigUint64Array([...texts.map((text) => getRawPointer(text)), 0n])),
);
const failure = functions["chdb_result_error"]!(result);
throw new Error(failure ? toString(failure) : "the script of the server ended");

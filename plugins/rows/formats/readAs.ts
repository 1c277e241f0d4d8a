import { PluginError } from "../../protocol/index.ts";

/** Names what a reader of a format throws: the file is not what its ending says, or damaged. */
export async function readAs<Result>(
  format: "Arrow" | "Parquet",
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof PluginError) throw cause;
    const reason = reasonOf(cause);
    throw new PluginError("PLUGIN_UNREADABLE", [`it cannot be read as ${format}: ${reason}`], {
      cause,
    });
  }
}

/** Errors of a parser that believed a damaged file say nothing to people. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "it is damaged";
  if (cause instanceof RangeError && cause.message.includes("call stack"))
    return "it is nested too deeply";
  return cause instanceof TypeError || cause instanceof RangeError
    ? "it is damaged or truncated"
    : cause.message.slice(0, 200);
}

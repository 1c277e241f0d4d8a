import { PluginError } from "../../protocol/index.ts";

/**
 * Converts the errors of a format reader to PLUGIN_UNREADABLE, which says that the file is damaged, or that its content
 * does not match its extension.
 */
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

/**
 * Returns a reason that people understand. The message of a parser that fails on a damaged file would mean nothing to
 * them.
 */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "it is damaged";
  if (cause instanceof RangeError && cause.message.includes("call stack"))
    return "it is nested too deeply";
  return cause instanceof TypeError || cause instanceof RangeError
    ? "it is damaged or truncated"
    : cause.message.slice(0, 200);
}

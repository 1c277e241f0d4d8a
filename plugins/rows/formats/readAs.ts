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
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : "";
    throw new PluginError("PLUGIN_UNREADABLE", [`it cannot be read as ${format}: ${reason}`], {
      cause,
    });
  }
}

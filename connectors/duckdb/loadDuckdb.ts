export type Duckdb = typeof import("@duckdb/node-api");

/** Loads DuckDB on first use, because it is an optional dependency of 70 MB. */
export async function loadDuckdb(): Promise<Duckdb> {
  try {
    return await import("@duckdb/node-api");
  } catch (cause) {
    const { PluginError } = await import("../../plugins/protocol/index.ts");
    throw new PluginError(
      "PLUGIN_NOT_OFFERED",
      ["DuckDB on this host; its operator can install it with: npm install @duckdb/node-api"],
      { cause },
    );
  }
}

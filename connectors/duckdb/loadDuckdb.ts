export type Duckdb = typeof import("@duckdb/node-api");

/**
 * Loads DuckDB on first use, from the URL of its main module or from the package next to this connector. DuckDB is an
 * optional dependency of 70 MB.
 * @throws {PluginError} PLUGIN_NOT_OFFERED if DuckDB is missing, or has no binaries for this machine
 */
export async function loadDuckdb(url: string | undefined): Promise<Duckdb> {
  try {
    return await (url === undefined ? import("@duckdb/node-api") : import(url));
  } catch (cause) {
    const { PluginError } = await import("../../plugins/protocol/index.ts");
    throw new PluginError(
      "PLUGIN_NOT_OFFERED",
      [
        "DuckDB on this host; the host's operator can install DuckDB with: npm install @duckdb/node-api",
      ],
      { cause },
    );
  }
}

/** The exports of a module, with unchecked types. */
export type LoadedModule = Readonly<Record<string, unknown>>;

/** The plugins of this package by their folders. Only this file imports plugins. A bundler follows these imports. */
const modules: Readonly<Record<string, () => Promise<LoadedModule>>> = {
  "connectors/clickhouse": () => import("../../../connectors/clickhouse/index.ts"),
  "connectors/duckdb": () => import("../../../connectors/duckdb/index.ts"),
  "connectors/files": () => import("../../../connectors/files/index.ts"),
  "connectors/mysql": () => import("../../../connectors/mysql/index.ts"),
  "connectors/postgres": () => import("../../../connectors/postgres/index.ts"),
  "connectors/rest": () => import("../../../connectors/rest/index.ts"),
  "connectors/sqlite": () => import("../../../connectors/sqlite/index.ts"),
  "plugins/strata": () => import("../../../plugins/strata/index.ts"),
};

/** Imports a plugin of this package. The result is not typed, because the host must not depend on its plugins. */
export async function loadModule(folder: string): Promise<LoadedModule> {
  const load = modules[folder];
  if (!load) throw new Error(`this package has no plugin ${folder}`);
  return load();
}

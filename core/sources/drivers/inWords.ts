import { type DriverName, drivers } from "./drivers.ts";

/** Names a driver with its package, version and size: `DuckDB (@duckdb/node-api 1.5.5, 70 MB)`. */
export function inWords(name: DriverName, version: string | undefined): string {
  const { packageName, title, sizeMb } = drivers[name];
  return `${title} (${packageName}${version === undefined ? "" : ` ${version}`}, ${sizeMb} MB)`;
}

/** A package that a connector needs, and that the host installs when an account first uses the connector. */
export interface Driver {
  /** Name of the package on npm. */
  readonly packageName: string;
  /** The name that people see. */
  readonly title: string;
  /** Space that the installed packages take, in MB. */
  readonly sizeMb: number;
}

/** The drivers that are not dependencies of the host, by the name that `manifold install` accepts. */
export const drivers = {
  duckdb: { packageName: "@duckdb/node-api", title: "DuckDB", sizeMb: 70 },
  mysql: { packageName: "mysql2", title: "the MySQL and MariaDB driver", sizeMb: 4 },
} as const satisfies Readonly<Record<string, Driver>>;

/** Name of a driver. */
export type DriverName = keyof typeof drivers;

/** Returns whether a string names a driver. */
export function isDriverName(name: string): name is DriverName {
  return Object.hasOwn(drivers, name);
}

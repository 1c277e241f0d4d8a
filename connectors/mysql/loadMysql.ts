import { PluginError } from "../../plugins/protocol/index.ts";

export type Mysql = typeof import("mysql2");

/**
 * Loads the driver on first use, from the URL of its main module or from the package next to this connector. The driver
 * is an optional dependency of twelve packages.
 * @throws {PluginError} PLUGIN_NOT_OFFERED if the driver is missing
 */
export async function loadMysql(url: string | undefined): Promise<Mysql> {
  try {
    return await (url === undefined ? import("mysql2") : import(url));
  } catch (cause) {
    throw new PluginError(
      "PLUGIN_NOT_OFFERED",
      [
        "MySQL and MariaDB on this host; the host's operator can install their driver with: npm install mysql2",
      ],
      { cause },
    );
  }
}

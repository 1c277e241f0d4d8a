import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { moduleIn } from "./findBeside.ts";
import { findNpm } from "./findNpm.ts";
import type { DriverPlace } from "./placeOf.ts";
import { runNpm } from "./runNpm.ts";

/** Age in milliseconds above which the folder of a killed installation is removed. */
const abandonedMs = 60 * 60_000;
const stagingPrefix = ".installing-";

export interface InstallOptions {
  readonly execPath: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** Returns the URL of the main module of an installed driver; undefined if it is not installed. */
export function installedModule({ folder, packageName }: DriverPlace): string | undefined {
  return existsSync(join(folder, "node_modules", packageName, "package.json"))
    ? moduleIn(folder, packageName)
    : undefined;
}

/**
 * Installs a driver. The packages are installed in a temporary folder, which is then renamed to the driver's folder. A
 * killed installation therefore leaves no half-installed driver. If several hosts install the driver at the same time,
 * the first complete installation is kept.
 * @throws {Error} if npm is missing or fails, or the folder cannot be written
 */
export async function installDriver(
  place: DriverPlace,
  { execPath, environment, signal }: InstallOptions,
): Promise<void> {
  const npm = findNpm({ execPath, environment });
  if (!npm) throw new Error("npm was found neither next to Node.js nor on the PATH");
  const parent = join(place.folder, "..");
  await mkdir(parent, { recursive: true, mode: 0o700 });
  await removeAbandoned(parent);
  const staging = await mkdtemp(join(parent, stagingPrefix));
  try {
    for (const file of ["package.json", "package-lock.json"])
      await cp(join(place.lockFolder, file), join(staging, file));
    await runNpm({ npm, folder: staging, environment, signal });
    if (!installedModule({ ...place, folder: staging }))
      throw new Error(`npm did not install ${place.packageName}`);
    await rename(staging, place.folder).catch((failure: unknown) => {
      if (!installedModule(place)) throw failure;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(stagingPrefix)) continue;
    const folder = join(parent, name);
    const found = await stat(folder).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs)
      await rm(folder, { recursive: true, force: true });
  }
}

import { ApiError, type Config, messageOf } from "../../base/index.ts";
import type { Log } from "../../catalog/index.ts";
import { type DriverName, drivers } from "./drivers.ts";
import { findBeside } from "./findBeside.ts";
import { installDriver, installedModule } from "./installDriver.ts";
import { inWords } from "./inWords.ts";
import { type DriverPlace, placeOf } from "./placeOf.ts";

/** The drivers of connectors that the host does not depend on. */
export interface Drivers {
  /**
   * Returns the URL of a driver's main module. If the driver is not installed, installs it first. Calls at the same
   * time share one installation.
   * @throws {ApiError} DRIVER_INSTALLING with Retry-After if the installation takes longer than a call should wait;
   * DRIVER_MISSING if the host may not or cannot install it
   */
  locate(name: DriverName): Promise<string>;
  /** Stops an installation that is under way. */
  close(): Promise<void>;
}

export interface DriversOptions {
  readonly config: Pick<Config, "dataDir" | "install">;
  readonly log: Log;
  /** Folder of the package's lock files, by name of the driver. Replaced in tests. */
  readonly lockFolder?: string;
  /** Folder in which the search for installed packages starts. Replaced in tests. */
  readonly from?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly execPath?: string;
  /** Milliseconds that a call waits for an installation. Replaced in tests. */
  readonly waitMs?: number;
  /** Milliseconds after a failed installation before the next attempt. Replaced in tests. */
  readonly pauseMs?: number;
}

interface Installation {
  /** Resolves when the installation has ended, even if it failed. */
  readonly done: Promise<void>;
  /** When the installation failed, on the clock of `performance.now`. */
  failedAtMs?: number;
}

const usualWaitMs = 20_000;
const usualPauseMs = 60_000;
const retryAfterS = 10;

/** Opens the drivers. Nothing is installed until a connector needs it. */
export function openDrivers(options: DriversOptions): Drivers {
  const { config, log, from, environment = process.env, execPath = process.execPath } = options;
  const { waitMs = usualWaitMs, pauseMs = usualPauseMs } = options;
  const closing = new AbortController();
  const installations = new Map<DriverName, Installation>();

  const install = (name: DriverName, place: DriverPlace): Installation => {
    const { folder, version } = place;
    const { packageName, sizeMb, title } = drivers[name];
    const details = { package: `${packageName}@${version}`, sizeMb, folder };
    log.warn(details, `installing ${title} for its first use; MANIFOLD_INSTALL=off prevents this`);
    const { signal } = closing;
    const installation: Installation = {
      done: installDriver(place, { execPath, environment, signal }).then(
        () => {
          log.info(details, `installed ${title}`);
          installations.delete(name);
        },
        (failure: unknown) => {
          log.error({ ...details, reason: messageOf(failure) }, `${title} could not be installed`);
          installation.failedAtMs = performance.now();
        },
      ),
    };
    installations.set(name, installation);
    return installation;
  };

  return {
    async locate(name) {
      const { packageName } = drivers[name];
      const place = placeOf(name, config.dataDir, options.lockFolder);
      const beside = findBeside(packageName, place?.version, from);
      if (beside !== undefined) return beside;
      if (!place)
        throw missing(name, undefined, "this copy of the host has no list of its packages");
      const installed = installedModule(place);
      if (installed !== undefined) return installed;
      if (!config.install) throw missing(name, place.version, "MANIFOLD_INSTALL is off");
      let installation = installations.get(name);
      const failedAtMs = installation?.failedAtMs ?? Infinity;
      const mayRepeat = performance.now() - failedAtMs >= pauseMs;
      if (!installation || mayRepeat) installation = install(name, place);
      const late = Symbol("late");
      const timer = Promise.withResolvers<typeof late>();
      const timeout = setTimeout(() => timer.resolve(late), waitMs);
      const first = await Promise.race([installation.done, timer.promise]);
      clearTimeout(timeout);
      if (first === late)
        throw new ApiError("DRIVER_INSTALLING", [inWords(name, place.version)], { retryAfterS });
      const found = installedModule(place);
      if (found !== undefined) return found;
      throw missing(name, place.version, "npm could not install it; the host's log has the reason");
    },
    async close() {
      closing.abort();
      await Promise.all([...installations.values()].map(({ done }) => done));
    },
  };
}

function missing(name: DriverName, version: string | undefined, reason: string): ApiError {
  const { packageName } = drivers[name];
  const exact = version === undefined ? packageName : `${packageName}@${version}`;
  return new ApiError("DRIVER_MISSING", [inWords(name, version), reason, name, exact]);
}

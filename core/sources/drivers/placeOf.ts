import { existsSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { dirname, join, resolve } from "node:path";
import { type DriverName, drivers } from "./drivers.ts";

/** Where a driver is installed, and what is installed there. */
export interface DriverPlace {
  readonly packageName: string;
  readonly version: string;
  /** Folder of the installed driver. Its name contains the driver, the version and the platform. */
  readonly folder: string;
  /** Folder with the package.json and the lock file that name the packages to install. */
  readonly lockFolder: string;
}

/**
 * Returns where a driver is installed in a data folder, and from which lock file. Undefined if the package does not
 * contain the lock file. A clone does not contain the lock file, because npm installs the drivers next to the host
 * there.
 */
export function placeOf(
  name: DriverName,
  dataDir: string,
  lockFolder: string = lockFolderOfPackage(),
): DriverPlace | undefined {
  const { packageName } = drivers[name];
  const locks = join(lockFolder, name);
  const version = versionIn(join(locks, "package.json"), packageName);
  if (version === undefined) return undefined;
  const folder = join(resolve(dataDir), "drivers", `${name}-${version}-${platformName()}`);
  return { packageName, version, folder, lockFolder: locks };
}

function lockFolderOfPackage(): string {
  const file = findPackageJSON(import.meta.url);
  if (file === undefined) throw new Error("the package.json of the host is missing");
  return join(dirname(file), "drivers");
}

function versionIn(file: string, packageName: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const described: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(file, "utf8"),
  );
  return described.dependencies[packageName];
}

/** Returns the platform whose binaries this process can load, such as `linux-x64` or `linux-arm64-musl`. */
function platformName(): string {
  const { platform, arch } = process;
  const { header }: { readonly header?: { readonly glibcVersionRuntime?: string } } =
    process.report.getReport();
  const isMusl = platform === "linux" && header?.glibcVersionRuntime === undefined;
  return `${platform}-${arch}${isMusl ? "-musl" : ""}`;
}

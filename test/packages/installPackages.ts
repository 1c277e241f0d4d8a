import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { holdLock } from "./holdLock.ts";
import type { PackageSet } from "./packageSets.ts";

export interface InstallOptions {
  readonly set: PackageSet;
  /** The folder that contains the set's folder. */
  readonly root?: string;
  /** Receives one line that names the set and the folder in which it is installed. */
  announce(line: string): void;
}

interface Lock {
  readonly packages?: Readonly<
    Record<string, { readonly integrity?: string; readonly optional?: boolean }>
  >;
}

const repository = join(import.meta.dirname, "../..");
const flags = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  // Without a network, npm would otherwise retry for more than a minute.
  "--fetch-retry-maxtimeout=10000",
];

/**
 * The folder of npm's cache. It is in the root's `node_modules`, because that is on the same file system, and git
 * ignores it.
 */
const cacheFolder = "node_modules/.cache/manifold-packages";

/**
 * Installs a package set unless its lock file is already installed. A single rename makes all packages appear at once,
 * and their scripts do not run. Processes that need the same set wait until one of them has installed it. Returns the
 * path of the set's `node_modules`.
 * @throws if npm fails, with the end of npm's output
 */
export async function installPackages(options: InstallOptions): Promise<string> {
  const { set, root = repository, announce } = options;
  const folder = join(root, set.folder);
  const target = join(folder, "node_modules");
  if (isInstalled(folder)) return target;
  const cacheDir = join(root, cacheFolder, set.folder.replaceAll("/", "-"));
  await holdLock(`${cacheDir}.lock`, async () => {
    if (isInstalled(folder)) return;
    announce(`installing ${set.brings} (${set.sizeMb} MB, once) into ${set.folder}/node_modules\n`);
    // A killed process may have left a partial installation.
    rmSync(cacheDir, { recursive: true, force: true });
    mkdirSync(cacheDir, { recursive: true });
    const part = mkdtempSync(join(cacheDir, "part-"));
    try {
      for (const file of ["package.json", "package-lock.json"])
        cpSync(join(folder, file), join(part, file));
      await runNpm(set, part);
      if (existsSync(target)) renameSync(target, join(part, "replaced"));
      renameSync(join(part, "node_modules"), target);
    } finally {
      rmSync(cacheDir, { recursive: true, force: true });
    }
  });
  return target;
}

/** Returns whether the lock file equals the copy that npm writes to `node_modules` at the end of an installation. */
function isInstalled(folder: string): boolean {
  const installedFile = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installedFile)) return false;
  const wanted = readLock(join(folder, "package-lock.json"));
  const installed = readLock(installedFile);
  const isWanted = ([path, { integrity }]: readonly [string, { readonly integrity?: string }]) =>
    wanted.get(path)?.integrity === integrity;
  return (
    [...installed].every(isWanted) &&
    // Optional packages for other platforms are not installed.
    [...wanted].every(([path, { optional }]) => optional === true || installed.has(path))
  );
}

function readLock(file: string): ReadonlyMap<string, NonNullable<Lock["packages"]>[string]> {
  const { packages = {} } = JSON.parse(readFileSync(file, "utf8")) as Lock;
  return new Map(Object.entries(packages).filter(([path]) => path !== ""));
}

async function runNpm(
  { brings, folder, hasGaps, hasOwnPeers }: PackageSet,
  cwd: string,
): Promise<void> {
  const command = hasGaps === true ? ["install", "--no-save", "--force"] : ["ci"];
  const peers = hasOwnPeers === true ? ["--legacy-peer-deps"] : [];
  const npm = spawn("npm", [...command, ...peers, ...flags], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  let output = "";
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-2000);
    });
  const [status] = (await once(npm, "close")) as [number | null];
  if (status === 0) return;
  throw new Error(
    `${brings} could not be installed from ${folder}/package-lock.json: ` +
      `npm ${command[0]} exited with ${String(status)}. It needs access to the npm registry.\n${output.trim()}`,
  );
}

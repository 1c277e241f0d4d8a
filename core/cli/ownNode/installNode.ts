import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { NodePackage } from "./nodePackages.ts";

export interface InstallNodeOptions {
  readonly nodePackage: NodePackage;
  /** The folder that contains the installed versions. */
  readonly folder: string;
  /** Name of the version's folder within `folder`. */
  readonly name: string;
  /** The JavaScript file of npm. */
  readonly npm: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Path of the Node.js program within its package. */
export const programFile = "bin/node";

/** Prefix of the folders in which versions are prepared. */
const partPrefix = ".part-";
/** Age in milliseconds from which a prepared folder counts as left by a process that was killed. */
const abandonedMs = 3_600_000;
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const shownLines = 6;

/**
 * Arguments of npm. They make npm refuse a package that does not match the checksum of the lock file, run no scripts,
 * and ignore settings of an outer npm such as `--global`. They also keep npm from retrying for more than a minute
 * without a network.
 */
const args = [
  "ci",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  "--no-update-notifier",
  "--global=false",
  "--dry-run=false",
  "--workspaces=false",
  "--package-lock=true",
  "--package-lock-only=false",
  "--loglevel=error",
  "--fetch-retries=1",
  "--fetch-retry-mintimeout=1000",
] as const;

/**
 * Installs Node.js with npm, checks that it runs, and moves it to its place in one step, so that an incomplete
 * installation is never used. If another process installs the same version, the first installation is used.
 * @throws {Error} with what npm printed, or with the reason why the program does not run
 */
export async function installNode(options: InstallNodeOptions): Promise<void> {
  const { nodePackage, folder, name, npm, environment } = options;
  removeAbandoned(folder);
  const part = mkdtempSync(join(folder, partPrefix));
  try {
    writeProject(part, nodePackage);
    const { status, signal, printed } = await runNpm(npm, part, environment);
    if (signal !== undefined) {
      rmSync(part, { recursive: true, force: true });
      process.kill(process.pid, signal);
      // Signals arrive asynchronously.
      await new Promise(() => undefined);
    }
    if (status !== 0)
      throw new Error(
        `npm could not install ${nodePackage.name}@${nodePackage.version}:\n${printed}`,
      );
    const prepared = join(part, "node_modules", nodePackage.name);
    // Headers and manuals are not needed.
    for (const each of ["include", "share"])
      rmSync(join(prepared, each), { recursive: true, force: true });
    checkProgram(join(prepared, programFile), nodePackage.version);
    try {
      renameSync(prepared, join(folder, name));
    } catch (failure) {
      if (!existsSync(join(folder, name, programFile))) throw failure;
    }
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** Removes the prepared folders that killed processes have left. */
function removeAbandoned(folder: string): void {
  for (const entry of readdirSync(folder)) {
    const path = join(folder, entry);
    if (entry.startsWith(partPrefix) && Date.now() - statSync(path).mtimeMs > abandonedMs)
      rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Writes a project whose lock file names the package and its checksum, but no registry, so that npm uses the user's
 * registry.
 */
function writeProject(part: string, { name, version, integrity }: NodePackage): void {
  const project = { name: "manifold-node", private: true, dependencies: { [name]: version } };
  const lock = {
    name: project.name,
    lockfileVersion: 3,
    requires: true,
    packages: { "": project, [`node_modules/${name}`]: { version, integrity } },
  };
  writeFileSync(join(part, "package.json"), JSON.stringify(project));
  writeFileSync(join(part, "package-lock.json"), JSON.stringify(lock));
}

interface NpmResult {
  readonly status: number | null;
  /** The signal that stopped this process while npm was running. */
  readonly signal: NodeJS.Signals | undefined;
  /** The first lines of npm's errors. */
  readonly printed: string;
}

function runNpm(
  npm: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<NpmResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [npm, ...args], {
      cwd,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    let stoppedBy: NodeJS.Signals | undefined;
    const stop = (signal: NodeJS.Signals) => {
      stoppedBy = signal;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, stop);
    const settle = () => {
      for (const signal of signals) process.off(signal, stop);
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        printed += chunk.toString();
      });
    child.once("error", (failure) => {
      settle();
      reject(failure);
    });
    child.once("close", (status) => {
      settle();
      const lines = printed.split("\n").filter((line) => line.trim() !== "");
      const shown = lines.slice(0, shownLines).map((line) => `  ${line}`);
      resolve({ status, signal: stoppedBy, printed: shown.join("\n") });
    });
  });
}

/** Checks that a program runs on this machine and is the expected version of Node.js.
 * @throws {Error} that says what is wrong with the program */
function checkProgram(path: string, version: string): void {
  const { error, status, stdout, stderr } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (!error && status === 0 && stdout.trim() === `v${version}`) return;
  const reason = error?.message ?? stderr.trim().split("\n")[0];
  throw new Error(`Node ${version} does not run on this machine: ${reason || `status ${status}`}`);
}

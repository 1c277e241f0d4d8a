import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { removeOldEntries } from "../../deploy/bundle/removeOldEntries.ts";
import { holdLock } from "../packages/holdLock.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

/** The packages of this tree, in the order in which they are published. */
export const packageNames = ["plugin", "client", "embed", "host"] as const;
export const scope = "@manifold-analytics";

/** The packages of this tree that its own sources import by name, and their folders. */
const ownFolders = { plugin: "plugins", client: "core/web/client", embed: "core/web/embed" };

/** The file next to the built packages with the path of the copy in which they were built. */
const checkoutFile = "checkout.txt";

/** Copies of the built packages, so that tests do not write to each other's. */
export interface BuiltPackages {
  /** Temporary folder that contains the copies. Tests may write next to them. */
  readonly folder: string;
  /** Path of the copy of the tree in which the packages were built. It no longer exists. */
  readonly checkout: string;
  /** Returns the folder of a built package. */
  dist(name: string): string;
  remove(): void;
}

/** A copy of this tree without built files. */
export interface Checkout {
  /** Temporary folder with `checkout`, which is the copy. Tests may write next to it. */
  readonly folder: string;
  readonly checkout: string;
  remove(): void;
}

/** Runs a shell command with this Node.js, without the Node.js options of the test processes. */
export function shell(
  command: string,
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  return run("bash", ["-eu", "-c", command], {
    cwd,
    // `npm run -s` would silence the errors of npm here too.
    env: { ...process.env, PATH, NODE_OPTIONS: "", npm_config_loglevel: "warn", ...more },
    maxBuffer: 2 ** 26,
  });
}

/** Links the installed packages into a copy of the tree. Links the tree's own packages to their folders in the copy. */
function linkPackages(checkout: string): void {
  const [installed, linked] = [root, checkout].map((folder) => join(folder, "node_modules"));
  mkdirSync(join(linked!, scope), { recursive: true });
  for (const name of readdirSync(installed!))
    if (name !== scope) symlinkSync(join(installed!, name), join(linked!, name));
  for (const [name, folder] of Object.entries(ownFolders))
    symlinkSync(join(checkout, folder), join(linked!, scope, name));
}

/** Names of files and folders that are not part of the sources. */
const builtNames = new Set(["dist", ".git", ".manifold"]);

const isSource = (path: string): boolean =>
  basename(path) !== "node_modules" && !builtNames.has(relative(root, path));

/** Copies the tree without built files. The copy uses the packages that are installed in the tree. */
export function copyTree(): Checkout {
  const folder = mkdtempSync(join(tmpdir(), "manifold-build-"));
  const checkout = join(folder, "checkout");
  cpSync(root, checkout, { recursive: true, filter: isSource });
  linkPackages(checkout);
  return { folder, checkout, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns a hash of the paths and contents of all sources. */
function hashTree(): string {
  const hash = createHash("sha256").update(process.version);
  const add = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (!isSource(path)) continue;
      if (entry.isDirectory()) add(path);
      else if (entry.isFile()) hash.update(`\0${path}\0`).update(readFileSync(path));
    }
  };
  add(root);
  return hash.digest("hex").slice(0, 16);
}

/** Returns the folder with the packages that are built from the present sources. They are built at the first call. */
async function findBuilt(): Promise<string> {
  const cacheDir = join(root, "node_modules/.cache/manifold-tests");
  const built = join(cacheDir, `packages-${hashTree()}`);
  await holdLock(join(cacheDir, "packages.lock"), async () => {
    if (existsSync(built)) return;
    removeOldEntries(cacheDir, "packages-");
    const { checkout, remove } = copyTree();
    try {
      await shell("npm run -s build", checkout);
      const part = `${built}.part`;
      rmSync(part, { recursive: true, force: true });
      cpSync(join(checkout, "dist"), part, { recursive: true });
      writeFileSync(join(part, checkoutFile), checkout);
      renameSync(part, built);
    } finally {
      remove();
    }
  });
  return built;
}

/**
 * Returns copies of the built packages of this tree. Building takes about half a minute, once for all tests that find
 * the same sources.
 */
export async function buildPackages(): Promise<BuiltPackages> {
  const built = await findBuilt();
  const folder = mkdtempSync(join(tmpdir(), "manifold-packages-"));
  cpSync(built, join(folder, "dist"), { recursive: true });
  return {
    folder,
    checkout: readFileSync(join(built, checkoutFile), "utf8"),
    dist: (name) => join(folder, "dist", name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

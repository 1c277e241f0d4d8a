import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "packages");

/** The packages that are kept, the newest last. */
export const keptPackages: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith(".tgz"))
  .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }));

/** A release as its users have it, with the dependencies of this tree. */
export interface KeptPackage {
  readonly version: string;
  /** The dependencies that it names, with the range of each. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The file of its command `manifold`. */
  readonly main: string;
  close(): void;
}

/** Unpacks a kept package below node_modules, where it finds its dependencies. */
export async function openKeptPackage(name: string): Promise<KeptPackage> {
  const place = join(root, `node_modules/.cache/manifold-kept-${process.pid}`);
  mkdirSync(place, { recursive: true });
  await run("tar", ["-xzf", join(folder, name), "-C", place]);
  const unpacked = join(place, "package");
  const { version, dependencies }: Pick<KeptPackage, "version" | "dependencies"> = JSON.parse(
    readFileSync(join(unpacked, "package.json"), "utf8"),
  );
  return {
    version,
    dependencies,
    main: join(unpacked, "dist/core/main.js"),
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { listKept } from "./listKept.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "packages");

/** The newest kept package, or undefined before the first release. */
export const newestKeptPackage: string | undefined = listKept("packages").at(-1);

/** An installed release that uses the dependencies of this tree. */
export interface KeptPackage {
  readonly version: string;
  /** The file of the release's `manifold` command. */
  readonly main: string;
  close(): void;
}

/** Extracts a kept package below node_modules, where the package finds its dependencies. */
export async function openKeptPackage(name: string): Promise<KeptPackage> {
  const place = join(root, `node_modules/.cache/manifold-kept-${process.pid}`);
  mkdirSync(place, { recursive: true });
  await run("tar", ["-xzf", join(folder, name), "-C", place]);
  const unpacked = join(place, "package");
  const {
    version,
    bin,
  }: { readonly version: string; readonly bin: { readonly manifold: string } } = JSON.parse(
    readFileSync(join(unpacked, "package.json"), "utf8"),
  );
  return {
    version,
    main: join(unpacked, bin.manifold),
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { listKept } from "./listKept.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const folder = join(import.meta.dirname, "packages");

/** The newest kept package of a host, or undefined before the first release. */
export const newestKeptPackage: string | undefined = listKept("packages")
  .filter((name) => name.includes("-host-"))
  .at(-1);

/** An installed release that uses the dependencies of this tree. */
export interface KeptPackage {
  readonly version: string;
  /** The file of the release's `manifold` command. */
  readonly main: string;
  close(): void;
}

/**
 * Extracts a kept host and the package for authors of the same release. Both are placed below node_modules, so that
 * they find each other and their dependencies.
 */
export async function openKeptPackage(name: string): Promise<KeptPackage> {
  const place = join(root, `node_modules/.cache/manifold-kept-${process.pid}`);
  const scope = join(place, "node_modules/@manifold-analytics");
  for (const each of ["host", "plugin"]) {
    const to = join(scope, each);
    mkdirSync(to, { recursive: true });
    const file = join(folder, name.replace("-host-", `-${each}-`));
    await run("tar", ["-xzf", file, "-C", to, "--strip-components=1"]);
  }
  const unpacked = join(scope, "host");
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

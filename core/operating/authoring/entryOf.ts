import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join, sep } from "node:path";

interface Manifest {
  readonly main?: unknown;
  readonly exports?: unknown;
}

const source = "src/plugin.ts";
const candidates = ["plugin.ts", "plugin.js", "plugin.mjs", source, "index.ts", "index.js"];

/**
 * Returns the file with the plugin of a folder: the file that `exports` or `main` of its package.json names, or
 * otherwise `plugin.ts`. If the package.json names a compiled file, `src/plugin.ts` comes first, so that a project
 * needs no build. Node does not run TypeScript in `node_modules`, so the compiled file is used there.
 * @throws {Error} if the file does not exist
 */
export function entryOf(folder: string): string {
  const named = namedEntry(join(folder, "package.json"));
  const isInstalled =
    existsSync(folder) && realpathSync(folder).split(sep).includes("node_modules");
  const isCompiled = named !== undefined && !/\.[cm]?ts$/.test(named);
  if (isCompiled && !isInstalled && existsSync(join(folder, source))) return join(folder, source);
  const names = named === undefined ? candidates : [named];
  const found = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new Error(
    named === undefined
      ? `${folder} has no ${names.join(", ")}; set "main" in its package.json to the file of the plugin`
      : `${folder} has no ${named}, which its package.json names; build the plugin, or correct "exports" or "main"`,
  );
}

function namedEntry(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const { exports, main }: Manifest = JSON.parse(readFileSync(path, "utf8"));
  return exportedFile(exports) ?? (typeof main === "string" ? main : undefined);
}

/** Returns the file that Node imports by the name of the package. */
function exportedFile(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  const members: Readonly<Record<string, unknown>> = { ...target };
  if ("." in members) return exportedFile(members["."]);
  for (const condition of ["node", "import", "default"]) {
    const found = exportedFile(members[condition]);
    if (found !== undefined) return found;
  }
  return undefined;
}

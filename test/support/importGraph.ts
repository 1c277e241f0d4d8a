import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** An import or re-export of a file. Includes type-only imports. */
export interface Import {
  readonly file: string;
  readonly specifier: string;
}

/** The text of each file, keyed by its path from the root of the repository. */
export type Sources = ReadonlyMap<string, string>;

/** Edges of a graph, from each node to its targets. */
export type Arrows = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads the TypeScript files in the folders. A missing folder counts as empty. */
export function readSources(folders: readonly string[]): Sources {
  const files = folders.flatMap((folder) =>
    existsSync(join(root, folder))
      ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
          .filter(({ parentPath }) => !parentPath.includes("node_modules"))
          .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
      : [],
  );
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

const pattern =
  /^(?:import|export)\s+(?:type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** Lists the imports of all files. */
export function importsOf(sources: Sources): Import[] {
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map((match) => ({ file, specifier: match[1] ?? match[2] ?? "" })),
  );
}

/** Returns the file of this repository that an import refers to, or undefined for a package. */
export function targetOf({ file, specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return join(dirname(file), specifier).split(sep).join("/");
}

/** Returns the package that an import refers to, or undefined for files of this repository and Node.js modules. */
export function packageOf({ specifier }: Import): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
  const parts = specifier.split("/");
  return parts.slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

function addArrow(arrows: Map<string, Set<string>>, from: string, to: string): void {
  const targets = arrows.get(from) ?? new Set();
  arrows.set(from, targets);
  if (from !== to) targets.add(to);
}

/** Returns the edges between files. */
export function fileArrows(imports: readonly Import[]): Arrows {
  const arrows = new Map<string, Set<string>>();
  for (const each of imports) {
    const target = targetOf(each);
    if (target !== undefined) addArrow(arrows, each.file, target);
  }
  return arrows;
}

/**
 * For each folder, returns the edges between its entries. A node is a file of the folder, or a subfolder with all its
 * contents. `""` is the root of the repository.
 */
export function roomArrows(imports: readonly Import[]): ReadonlyMap<string, Arrows> {
  const rooms = new Map<string, Map<string, Set<string>>>();
  for (const each of imports) {
    const target = targetOf(each);
    if (target === undefined) continue;
    const from = each.file.split("/");
    const to = target.split("/");
    let depth = 0;
    while (depth < from.length - 1 && from[depth] === to[depth]) depth += 1;
    const folder = from.slice(0, depth).join("/");
    const arrows = rooms.get(folder) ?? new Map<string, Set<string>>();
    rooms.set(folder, arrows);
    addArrow(arrows, from.slice(0, depth + 1).join("/"), to.slice(0, depth + 1).join("/"));
  }
  return rooms;
}

/**
 * Finds the cycles of a graph. A cycle is a sorted set of nodes, each of which reaches all others. The algorithm is
 * from Tarjan, Depth-first search and linear graph algorithms (1972).
 */
export function circlesOf(arrows: Arrows): string[][] {
  const indexOf = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const lower = (node: string, index: number) =>
    lowest.set(node, Math.min(lowest.get(node) ?? index, index));
  const visit = (node: string) => {
    const index = indexOf.size;
    indexOf.set(node, index);
    lower(node, index);
    stack.push(node);
    for (const next of arrows.get(node) ?? []) {
      if (!indexOf.has(next)) visit(next);
      if (stack.includes(next)) lower(node, lowest.get(next) ?? index);
    }
    if (lowest.get(node) !== index) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const node of arrows.keys()) if (!indexOf.has(node)) visit(node);
  return circles;
}

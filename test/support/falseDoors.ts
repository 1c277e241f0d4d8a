import { dirname } from "node:path";
import { importsOf, packageOf, targetOf, type Sources } from "./importGraph.ts";

const lineStart = "// May import: ";
const lineWidth = 120;

/** Returns the nearest folder around a file that has a door (an `index.ts`), or undefined. */
function doorOf(file: string, sources: Sources): string | undefined {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder))
    if (sources.has(`${folder}/index.ts`)) return folder;
  return undefined;
}

/**
 * Lists the imports of the files behind a door. An import of one of our folders is named by the path of its door, an
 * import of a file in an outer folder by the file's path without `.ts`, and a package by its name. Files behind an
 * inner door are not included. Only the door at the root of the tree lists its own subfolders.
 */
function namesBehind(door: string, sources: Sources): string[] {
  const own = new Map([...sources].filter(([file]) => doorOf(file, sources) === door));
  const names = importsOf(own).flatMap((each) => {
    const target = targetOf(each);
    if (target === undefined) return packageOf(each) ?? [];
    const other = doorOf(target, sources) ?? dirname(target);
    if (other === door || (door.includes("/") && other.startsWith(`${door}/`))) return [];
    return door.startsWith(`${other}/`) ? target.replace(/\.ts$/, "") : other;
  });
  return [...new Set(names)];
}

function isOurs(name: string): boolean {
  return /^(core|engine|plugins|connectors)(\/|$)/.test(name);
}

/**
 * Returns the correct "May import" line of a door, wrapped to the line length. It lists the core first, then our other
 * folders, then packages. Each of these lists is sorted.
 */
function mayImportLine(names: readonly string[]): string {
  const core = names.filter((name) => name.startsWith("core/"));
  const ours = names.filter((name) => isOurs(name) && !core.includes(name));
  const packages = names.filter((name) => !isOurs(name));
  const groups = [core, ours, packages].filter((group) => group.length > 0);
  const text = groups.map((group) => group.toSorted().join(", ")).join("; ") || "nothing";
  const lines: string[] = [];
  let line = lineStart.trimEnd();
  for (const word of `${text}.`.split(" ")) {
    if (line.length + 1 + word.length > lineWidth) {
      lines.push(line);
      line = "//";
    }
    line = `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}

/** Returns the "May import" line of a door's file with its continuation lines, or undefined if the file has none. */
function writtenLine(text: string): string | undefined {
  const [, second = "", ...rest] = text.split("\n");
  if (!second.startsWith(lineStart)) return undefined;
  const end = rest.findIndex((line) => !line.startsWith("//"));
  return [second, ...rest.slice(0, end)].join("\n");
}

/**
 * Compares the "May import" line of each door with the imports of the files behind the door. Returns error messages
 * that name the door, the missing or superfluous imports, and the correct line.
 */
export function falseDoors(sources: Sources): string[] {
  const doors = [...sources.keys()]
    .filter((file) => file.endsWith("/index.ts"))
    .map((file) => dirname(file));
  return doors.flatMap((door) => {
    const expected = mayImportLine(namesBehind(door, sources));
    const text = sources.get(`${door}/index.ts`) ?? "";
    if (writtenLine(text) === expected) return [];
    return `the comment of ${door}/index.ts must list the imports of the files behind it, on line 2:\n${expected}`;
  });
}

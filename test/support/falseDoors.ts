import { dirname } from "node:path";
import { importsOf, packageOf, targetOf, type Sources } from "./importGraph.ts";

const lineStart = "// May import: ";
const lineWidth = 120;

/** Returns the nearest folder around a file that has a door, an `index.ts`; undefined for none. */
function doorOf(file: string, sources: Sources): string | undefined {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder))
    if (sources.has(`${folder}/index.ts`)) return folder;
  return undefined;
}

/**
 * Lists what the files behind a door import: folders of ours by their door, files of an outer folder by their path
 * without `.ts`, and packages. Files behind an inner door do not count. A door names folders that it holds only at the
 * top of the tree.
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
 * Writes the line "May import" of a door, wrapped: the core, then other folders of ours, then packages, each sorted.
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

/**
 * Returns the line "May import" of a door as its text has it, with the lines on which it goes on; undefined for none.
 */
function writtenLine(text: string): string | undefined {
  const [, second = "", ...rest] = text.split("\n");
  if (!second.startsWith(lineStart)) return undefined;
  const end = rest.findIndex((line) => !line.startsWith("//"));
  return [second, ...rest.slice(0, end)].join("\n");
}

/**
 * Compares the line of each door with the imports of the files behind it. A complaint holds the door, what is missing
 * or too much, and the line to write.
 */
export function falseDoors(sources: Sources): string[] {
  const doors = [...sources.keys()]
    .filter((file) => file.endsWith("/index.ts"))
    .map((file) => dirname(file));
  return doors.flatMap((door) => {
    const expected = mayImportLine(namesBehind(door, sources));
    const text = sources.get(`${door}/index.ts`) ?? "";
    if (writtenLine(text) === expected) return [];
    return `${door}/index.ts must say what the files behind it import, on line 2:\n${expected}`;
  });
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { targetOf, type Import } from "./importGraph.ts";

const root = join(import.meta.dirname, "../..");

/** Returns the names in the first cell of each table row. */
function namedIn(readme: string): string[] {
  return [...readme.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/[\w.]+/g)].map(([name]) => name),
  );
}

/**
 * Compares the tables in a folder's README with the subfolders. Returns error messages that name the folders that the
 * tables do not list. If the README says "may import only the entries above it", the messages also name the imports
 * that contradict the order of the table.
 */
export function falseRooms(folder: string, imports: readonly Import[]): string[] {
  const path = join(root, folder, "README.md");
  if (!existsSync(path)) return [`${folder} has no README.md`];
  const readme = readFileSync(path, "utf8");
  const names = namedIn(readme);
  const missing = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !names.includes(entry.name))
    .map(({ name }) => `${folder}/README.md does not name ${name}`);
  if (!readme.includes("may import only the entries above it")) return missing;
  const depth = folder.split("/").length;
  const upward = imports.flatMap((each) => {
    const target = targetOf(each);
    if (!each.file.startsWith(`${folder}/`) || !target?.startsWith(`${folder}/`)) return [];
    const [from = "", to = ""] = [each.file, target].map((file) => file.split("/")[depth]);
    if (from === to || from === "index.ts") return [];
    return names.indexOf(to) < names.indexOf(from)
      ? []
      : [`${each.file} imports ${to}, which is not above ${from} in ${folder}/README.md`];
  });
  return [...missing, ...upward];
}

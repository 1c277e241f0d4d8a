import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Writes the sources of folders of the repository as JavaScript, at the same paths below `target`. */
export function writeJavaScript(target: string, folders: readonly string[]): void {
  for (const folder of folders)
    for (const name of globSync("**/*.ts", { cwd: join(root, folder) })) {
      const file = join(target, folder, name.replace(/\.ts$/, ".js"));
      mkdirSync(dirname(file), { recursive: true });
      const source = stripTypeScriptTypes(readFileSync(join(root, folder, name), "utf8"));
      writeFileSync(file, source.replaceAll(/(from\s+"\.[^"]*)\.ts"/g, '$1.js"'));
    }
  writeFileSync(join(target, "package.json"), '{"type":"module"}');
}

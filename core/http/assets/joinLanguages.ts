import { globSync } from "node:fs";
import type { Plugin } from "rolldown";

/** The empty table of a language, such as `language/tables/nl.ts`. */
const tables = /\/language\/tables\/([a-z]{2})\.ts$/;

/**
 * Returns a plugin of Rolldown that fills the table of each language with the words of all folders below `folder`: the
 * modules of that language's name, such as `pages/home/words/nl.ts`. The words of a language become one script.
 */
export function joinLanguages(folder: string): Plugin {
  return {
    name: "join-languages",
    load(id) {
      const language = id.startsWith(folder) ? tables.exec(id)?.[1] : undefined;
      if (language === undefined) return undefined;
      const files = globSync(`**/${language}.ts`, { cwd: folder, exclude: ["language/**"] })
        .map((file) => file.replaceAll("\\", "/"))
        .toSorted();
      const imports = files.map(
        (file, at) => `import * as table${at} from ${JSON.stringify(folder + file)};`,
      );
      const members = files.map(
        (file, at) => `${JSON.stringify(file.replace(/\/[^/]*$/, ""))}: table${at},`,
      );
      return `${imports.join("\n")}\nexport const tables = {\n${members.join("\n")}\n};\n`;
    },
  };
}

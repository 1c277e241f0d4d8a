import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The folder in the published package, and the folder of a checkout into which `npm ci` writes. */
const folders = ["./files/", "../../../../node_modules/.cache/manifold/"];

/** Returns the path of the template with a key; undefined if there is none. */
export function findTemplateFile(key: string): string | undefined {
  return folders
    .map((folder) => fileURLToPath(new URL(folder + templateFileName(key), import.meta.url)))
    .find((file) => existsSync(file));
}

/** Returns the name of the file with a template. The key changes with everything that determines the content. */
export const templateFileName = (key: string): string => `catalog-${key}.zst`;

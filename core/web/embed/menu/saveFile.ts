import { element } from "../view/index.ts";

const longestTitle = 100;

/**
 * Saves a file through the browser's download, under a title, the day and an extension. Characters that some file
 * systems do not allow in names become spaces.
 */
export function saveFile(file: Blob, title: string, extension: string): void {
  const url = URL.createObjectURL(file);
  const name = title
    .slice(0, longestTitle)
    .replaceAll(/[\s\p{C}\\/:*?"<>|]+/gu, " ")
    .trim();
  // Sweden writes dates as in ISO 8601.
  const day = new Intl.DateTimeFormat("sv-SE").format();
  element("a", { href: url, download: `${name} ${day}.${extension}` }).click();
  URL.revokeObjectURL(url);
}

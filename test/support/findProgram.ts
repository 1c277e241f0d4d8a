import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const folders = [
  ...(process.env["PATH"] ?? "").split(delimiter),
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/libexec",
  "/opt/homebrew/bin",
];

/**
 * Finds a program that is not part of the project. An environment variable with the program's name in capitals can
 * contain its path. Otherwise, the usual folders are searched. Returns undefined if the program is not found.
 */
export function findProgram(name: string): string | undefined {
  const given = process.env[name.toUpperCase()];
  const places = given ? [given] : folders.map((folder) => join(folder, name));
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

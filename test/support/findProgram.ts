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
 * Finds a program that is not part of the project: the value of the variable with its name in capitals, or a file in
 * the usual folders. Undefined if neither exists.
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

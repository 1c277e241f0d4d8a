import { execFileSync } from "node:child_process";
import { delimiter, join } from "node:path";

/** Returns the path of a Node 20 on the PATH, outside of `node_modules`; undefined if there is none. */
export function findNode20(): string | undefined {
  const places = (process.env["PATH"] ?? "").split(delimiter);
  return places
    .filter((place) => !place.includes("node_modules"))
    .map((place) => join(place, "node"))
    .find((path) => {
      try {
        return execFileSync(path, ["--version"], { encoding: "utf8" }).startsWith("v20.");
      } catch {
        return false;
      }
    });
}

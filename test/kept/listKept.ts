import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Lists the archives in a subfolder, oldest version first. The list is empty before the first release. */
export function listKept(folder: "packages" | "folders"): readonly string[] {
  const path = join(import.meta.dirname, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path).toSorted((one, other) =>
    one.localeCompare(other, "en", { numeric: true }),
  );
}

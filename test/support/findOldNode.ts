import { execFileSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/** Versions of Node.js on which the command starts, but which cannot run the host. */
const [least, tooNew] = [20, 26];

/**
 * Finds the folder of a Node.js on this machine that is too old for the host; undefined if this machine has no such
 * Node.js.
 */
export function findOldNode(): string | undefined {
  const own = dirname(process.execPath);
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/local/bin", "/usr/bin"];
  return folders.find((folder) => {
    const program = join(folder, "node");
    try {
      accessSync(program, constants.X_OK);
    } catch {
      return false;
    }
    if (folder === own) return false;
    const version = execFileSync(program, ["--version"], { encoding: "utf8" });
    const major = Number.parseInt(version.replace(/^v/, ""), 10);
    return major >= least && major < tooNew;
  });
}

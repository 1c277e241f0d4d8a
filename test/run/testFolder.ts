import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder that contains all temporary folders and files of a run. */
export interface TestFolder {
  readonly path: string;
  /** Removes the folder and everything in it, including files of killed tests. */
  close(): void;
}

const inMemory = "/dev/shm";
/**
 * Minimum free memory in bytes for a quick run in memory. If less is free, the run uses the temporary folder of the
 * system.
 */
const neededBytes = 4 * 2 ** 30;

/** Returns whether the memory file system has enough space and allows programs to run. */
function isRoomy(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === inMemory);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= neededBytes;
  } catch {
    // This platform has no memory file system.
    return false;
  }
}

/**
 * Creates the folder of a run. In the quick layer, the folder is in memory if enough memory is free, because no quick
 * test checks the files that a killed process leaves on a disk. Otherwise, the folder is in the temporary folder of the
 * system.
 */
export function openTestFolder(layer: "quick" | "deep"): TestFolder {
  const parent = layer === "quick" && isRoomy() ? inMemory : tmpdir();
  const path = mkdtempSync(join(parent, "mf-"));
  // All users may write to the folder, as to the system's temporary folder. If the tests run as root, PostgreSQL runs
  // as another user.
  chmodSync(path, 0o1777);
  return { path, close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

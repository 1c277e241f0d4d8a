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

/** The folder that contains all folders and files of a run. */
export interface TestFolder {
  readonly path: string;
  /** Removes the folder, including everything that killed tests left in it. */
  close(): void;
}

const inMemory = "/dev/shm";
/** Bytes that a quick run needs. With less free memory, it uses the temporary folder. */
const neededBytes = 4 * 2 ** 30;

/** Returns whether the memory file system has enough room and allows programs to run. */
function isRoomy(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === inMemory);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= neededBytes;
  } catch {
    // This platform has none.
    return false;
  }
}

/**
 * Creates the folder of a run. In the quick layer it is in memory if it fits, because no test there relies on a disk to
 * check what a killed process leaves behind. Otherwise it is in the temporary folder.
 */
export function openTestFolder(layer: "quick" | "deep"): TestFolder {
  const parent = layer === "quick" && isRoomy() ? inMemory : tmpdir();
  const path = mkdtempSync(join(parent, "mf-"));
  // Open to all users, like the temporary folder itself: if the tests run as root, PostgreSQL runs as another user.
  chmodSync(path, 0o1777);
  return { path, close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

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

/** The folder in which the files of a run make theirs, and its end. */
export interface TestFolder {
  readonly path: string;
  /** Removes the folder with all that killed tests left in it. */
  close(): void;
}

const inMemory = "/dev/shm";
/** Room that a quick run is given, in bytes; with less it uses the temporary folder. */
const neededBytes = 4 * 2 ** 30;

/** Whether files can be kept in memory there: with room, and with commands that can be run. */
function isRoomy(): boolean {
  try {
    accessSync(inMemory, constants.W_OK);
    const { bavail, bsize } = statfsSync(inMemory);
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === inMemory);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= neededBytes;
  } catch {
    // Another platform.
    return false;
  }
}

/**
 * Makes the folder of a run: in the quick layer in memory where it fits, since no test there needs a disk to prove
 * what a killed process leaves; in the deep layer, and elsewhere, in the temporary folder.
 */
export function openTestFolder(layer: "quick" | "deep"): TestFolder {
  const parent = layer === "quick" && isRoomy() ? inMemory : tmpdir();
  const path = mkdtempSync(join(parent, "mf-"));
  // Like the temporary folder itself: PostgreSQL runs as another user when the tests run as root.
  chmodSync(path, 0o1777);
  return { path, close: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}

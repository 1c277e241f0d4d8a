import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { layer } from "./layer.ts";
import type { SuiteOptions } from "./suite.ts";

const runProgram = promisify(execFile);

/** A file system with a size of a few megabytes. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk completely. */
  fill(): Promise<void>;
  /** Releases the space that `fill` used. */
  free(): Promise<void>;
  close(): Promise<void>;
}

function mountArguments(folder: string, sizeMb: number): string[] {
  return ["-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", folder];
}

/** Mounts a small disk. `needsSmallDisk` tells whether the machine allows this. */
export async function openSmallDisk(sizeMb: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "manifold-small-"));
  await runProgram("mount", mountArguments(folder, sizeMb));
  const filler = join(folder, "filler");
  return {
    folder,
    async fill() {
      const file = await open(filler, "a");
      try {
        // Writes increasingly small pieces until the last page is full.
        for (let size = 2 ** 20; size >= 1; size = Math.floor(size / 4))
          for (const piece = Buffer.alloc(size); ;)
            if ((await file.write(piece).catch(() => ({ bytesWritten: 0 }))).bytesWritten < size)
              break;
      } finally {
        await file.close();
      }
    },
    free: () => rm(filler, { force: true }),
    async close() {
      await runProgram("umount", ["-l", folder]);
      await rm(folder, { recursive: true });
    },
  };
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "manifold-small-"));
  try {
    if (spawnSync("mount", mountArguments(folder, 1)).status !== 0) return false;
    return spawnSync("umount", [folder]).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Options for a suite that needs small disks. Its tests run only in the deep layer, so the quick layer does not try to
 * mount a disk.
 */
export const needsSmallDisk: SuiteOptions =
  layer === "quick" || canMount() ? {} : { missing: "permission to mount a small disk (root)" };

import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../base/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "disk";
const syncCount = 16;
/** Duration of a sync in milliseconds, above which pushes become noticeably slower. */
const slowMs = 25;
const leastFreeBytes = 2 ** 30;
const leastFreeShare = 0.1;

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/** Checks a data folder's permissions, and the free space and speed of its disk. */
export async function checkDisk(dataDir: string): Promise<Diagnosis[]> {
  try {
    const { mode } = await stat(dataDir);
    const isShared = process.platform !== "win32" && (mode & 0o007) !== 0;
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const [freeBytes, allBytes] = [bavail * bsize, blocks * bsize];
    const room = `${gigabytes(freeBytes)} of ${gigabytes(allBytes)} are free at ${dataDir}`;
    const syncMs = await measureSync(dataDir);
    return [
      ...(isShared
        ? [weak(check, `every user of the machine can read ${dataDir}`, `run chmod 700 ${dataDir}`)]
        : []),
      freeBytes < leastFreeBytes
        ? bad(
            check,
            room,
            "pushes are refused when the disk is full; free space, or move the data folder",
          )
        : freeBytes < leastFreeShare * allBytes
          ? weak(check, room, "free space before the disk is full, because pushes are then refused")
          : good(check, room),
      syncMs > slowMs
        ? weak(
            check,
            `a write takes ${syncMs.toFixed(1)} ms to become durable`,
            "each push waits that long; use a local disk, which takes a few milliseconds",
          )
        : good(check, `a write becomes durable in ${syncMs.toFixed(1)} ms`),
    ];
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT")
      return [
        weak(
          check,
          `the folder ${dataDir} does not exist`,
          "the host creates it at its first start; if the host was started before, name its data folder with --data-dir",
        ),
      ];
    return [
      bad(
        check,
        `the data folder cannot be used: ${messageOf(failure)}`,
        "run the command as the user that runs the host, and name the data folder with --data-dir",
      ),
    ];
  }
}

/** Returns the median duration of several syncs, in milliseconds. */
async function measureSync(folder: string): Promise<number> {
  const path = join(folder, `.doctor-${randomBytes(4).toString("hex")}`);
  const file = await open(path, "wx", 0o600);
  try {
    const times: number[] = [];
    for (let count = 0; count < syncCount; count++) {
      const startMs = performance.now();
      await file.write(randomBytes(4096), 0, 4096, 4096 * count);
      await file.datasync();
      times.push(performance.now() - startMs);
    }
    return times.toSorted((one, other) => one - other)[syncCount >> 1] ?? 0;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

import { randomBytes } from "node:crypto";
import { open, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../../base/index.ts";
import { bad, type Finding, good, weak } from "../finding.ts";

const check = "disk";
const syncCount = 16;
/** Milliseconds of a sync above which each push waits noticeably. */
const slowMs = 25;
const leastFreeBytes = 2 ** 30;
const leastFreeShare = 0.1;

const gigabytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/** Looks at the room, the rights and the speed of the disk of a data folder. */
export async function checkDisk(dataDir: string): Promise<Finding[]> {
  try {
    const { mode } = await stat(dataDir);
    const isShared = process.platform !== "win32" && (mode & 0o007) !== 0;
    const { bavail, blocks, bsize } = await statfs(dataDir);
    const [freeBytes, allBytes] = [bavail * bsize, blocks * bsize];
    const room = `${gigabytes(freeBytes)} of ${gigabytes(allBytes)} are free at ${dataDir}`;
    const syncMs = await measureSync(dataDir);
    return [
      ...(isShared
        ? [
            weak(
              check,
              `every user of the machine may look into ${dataDir}`,
              `run chmod 700 ${dataDir}`,
            ),
          ]
        : []),
      freeBytes < leastFreeBytes
        ? bad(check, room, "pushes are refused when it is full: make room, or move the data folder")
        : freeBytes < leastFreeShare * allBytes
          ? weak(check, room, "make room before it is full: pushes are refused then")
          : good(check, room),
      syncMs > slowMs
        ? weak(
            check,
            `a write takes ${syncMs.toFixed(1)} ms to be durable`,
            "each push waits for that: a local disk takes a few milliseconds",
          )
        : good(check, `a write is durable in ${syncMs.toFixed(1)} ms`),
    ];
  } catch (failure) {
    if (failure instanceof Error && "code" in failure && failure.code === "ENOENT")
      return [
        weak(
          check,
          `there is no folder ${dataDir}`,
          "it is made at the first start; for a host that was started, name its folder with --data-dir",
        ),
      ];
    return [
      bad(
        check,
        `the data folder cannot be used: ${messageOf(failure)}`,
        "run the command as the user of the host, and name its folder with --data-dir",
      ),
    ];
  }
}

/** Returns the median of some syncs, in milliseconds. */
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

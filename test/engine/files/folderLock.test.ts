import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FolderLock } from "../../../engine/files/folderLock.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects } from "../tables.ts";

suite("engine/files/folderLock", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let mine: string;
  const path = () => join(folder.path, "lock");
  const leave = (change: object) =>
    writeFile(path(), JSON.stringify({ ...JSON.parse(mine), ...change }));
  test.before(async () => {
    folder = await makeFolder();
    const lock = await FolderLock.take(folder.path);
    mine = await readFile(path(), "utf8");
    await lock.release();
  });
  test.after(() => folder.remove());

  test("a lock whose process id runs again under another start time is taken over", async () => {
    await leave({ startTime: "1" });
    await (await FolderLock.take(folder.path)).release();
  });

  test("a lock of a process that does not run is taken over", async () => {
    await leave({ pid: 2 ** 30 });
    await (await FolderLock.take(folder.path)).release();
  });

  test("a lock of another host holds while its heart beats, and is taken over when it stops", async () => {
    await leave({ realm: "elsewhere", pid: 2 ** 30 });
    await rejects(FolderLock.take(folder.path), "STORE_LOCKED");
    await utimes(path(), new Date(Date.now() - 60_000), new Date(Date.now() - 60_000));
    await (await FolderLock.take(folder.path)).release();
  });

  test("a lock that cannot be read holds while it is fresh", async () => {
    await writeFile(path(), "nonsense");
    await rejects(FolderLock.take(folder.path), "STORE_LOCKED");
    await utimes(path(), new Date(0), new Date(0));
    await (await FolderLock.take(folder.path)).release();
  });

  test("of many openers at one moment, one takes a stale lock", async () => {
    await leave({ pid: 2 ** 30 });
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => FolderLock.take(folder.path)),
    );
    const taken = settled.flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    for (const lock of taken) await lock.release();
    if (taken.length !== 1) throw new Error(`${taken.length} openers hold the folder`);
  });
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import * as assert from "uvu/assert";
import { FolderLock } from "../../../engine/files/folderLock.ts";
import { suite } from "../../support/suite.ts";
import { makeFolder, rejects } from "../tables.ts";

const module = new URL("../../../engine/files/folderLock.ts", import.meta.url).href;

suite("engine/files/folderLock", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  test.before(async () => {
    folder = await makeFolder();
  });
  test.after(() => folder.remove());

  test("a locked folder can be opened again only after its lock is released", async () => {
    const lock = await FolderLock.take(folder.path);
    await rejects(FolderLock.take(folder.path), "STORE_LOCKED");
    await lock.release();
    await (await FolderLock.take(folder.path)).release();
  });

  test("releasing a lock twice does not release the lock of the next owner", async () => {
    const first = await FolderLock.take(folder.path);
    await first.release();
    const second = await FolderLock.take(folder.path);
    await first.release();
    await rejects(FolderLock.take(folder.path), "STORE_LOCKED");
    await second.release();
  });

  test("the error names the process that holds the lock, and killing the process releases the lock", async () => {
    const script = `
      const { FolderLock } = await import(${JSON.stringify(module)});
      await FolderLock.take(process.env.LOCKED);
      console.log("held");
      setInterval(() => undefined, 1000);`;
    const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, LOCKED: folder.path },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    const refusal = await FolderLock.take(folder.path).then(
      () => "",
      (error: Error) => error.message,
    );
    assert.match(refusal, `pid ${holder.pid}`);
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await (await FolderLock.take(folder.path)).release();
  });

  test("exactly one of several simultaneous openers locks the folder", async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 8 }, () => FolderLock.take(folder.path)),
    );
    const taken = settled.flatMap((result) =>
      result.status === "fulfilled" ? [result.value] : [],
    );
    for (const lock of taken) await lock.release();
    assert.is(taken.length, 1);
  });
});

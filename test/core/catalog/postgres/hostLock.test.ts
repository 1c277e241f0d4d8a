import * as assert from "uvu/assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeHostLock, type HostLock } from "../../../../core/catalog/postgres/hostLock.ts";
import { suite } from "../../../support/suite.ts";

const module = new URL("../../../../core/catalog/postgres/hostLock.ts", import.meta.url).href;

suite("core/catalog/postgres/hostLock", (test) => {
  let folder: string;
  let file: string;
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "manifold-lock-"));
    file = join(folder, "lock");
  });
  test.afterEach(() => rm(folder, { recursive: true, force: true }));

  const take = () =>
    takeHostLock(file).then(
      (lock): HostLock | string => lock,
      (failure: Error) => failure.message,
    );

  test("only one of many concurrent callers gets the lock on a data folder", async () => {
    const taken = await Promise.all(Array.from({ length: 8 }, take));
    const locks = taken.filter((each) => typeof each !== "string");
    assert.is(locks.length, 1, JSON.stringify(taken));
    for (const each of taken)
      if (typeof each === "string") assert.match(each, /in use by process (\d+|unknown)/);
    for (const lock of locks) await lock.release();
  });

  test("the lock on the data folder excludes other processes until the process that has the lock is killed", async () => {
    const script = `
      const { takeHostLock } = await import(${JSON.stringify(module)});
      await takeHostLock(process.env.LOCK_FILE);
      console.log("held");
      setInterval(() => undefined, 1_000);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      env: { ...process.env, LOCK_FILE: file },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let complaints = "";
    child.stderr.on("data", (text: Buffer) => (complaints += text.toString()));
    await once(child.stdout, "data");
    assert.match(String(await take()), `in use by process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    const lock = await takeHostLock(file);
    await lock.release();
    assert.is(complaints, "");
  });

  test("after the lock on a data folder is released, another process can take it", async () => {
    const first = await takeHostLock(file);
    await first.release();
    const second = await takeHostLock(file);
    await first.release();
    assert.type(await take(), "string");
    await second.release();
    assert.equal(await readdir(folder), ["lock"]);
  });
});

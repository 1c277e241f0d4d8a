import * as assert from "uvu/assert";
import { nodeFiles, type Files } from "../../../engine/files/files.ts";
import { limitSyncs, syncsAtOnce } from "../../../engine/files/limitSyncs.ts";
import { suite } from "../../support/suite.ts";

/** Lets pending promises continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

suite("engine/files/limitSyncs", (test) => {
  test("only the given number of syncs run concurrently, and writes do not wait for them", async () => {
    const begun: (() => void)[] = [];
    const sync = () => new Promise<void>((resolve) => void begun.push(resolve));
    const written: number[] = [];
    const held: Files = {
      ...nodeFiles,
      openLog: async () => ({
        write: async (_, position) => void written.push(position),
        sync,
        close: async () => undefined,
      }),
      syncFolder: sync,
    };
    const files = limitSyncs(held, 2);
    const logs = [await files.openLog("one", true), await files.openLog("other", true)];
    const syncs = [...logs.map((log) => log.sync()), files.syncFolder("."), logs[0]!.sync()];
    await logs[0]?.write(new Uint8Array(1), 7);
    assert.equal(written, [7]);
    for (const [ended, count] of [2, 3, 4].entries()) {
      await settle();
      assert.is(begun.length, count);
      begun[ended]?.();
    }
    for (const end of begun) end();
    await Promise.all(syncs);
  });

  test("syncs occupy at most half of the process's libuv threads", () => {
    const counts = ["", "1", "4", "12", "many"].map((count) => syncsAtOnce(count));
    assert.equal(counts, [2, 1, 2, 6, 2]);
  });
});

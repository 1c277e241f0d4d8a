import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeFiles, type Files } from "../../../engine/files/files.ts";
import { readFrames } from "../../../engine/files/frame.ts";
import { TableLog } from "../../../engine/files/tableLog.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";

/** Returns random bytes in any kind of buffer, at any alignment. */
function randomPiece(random: Random): Uint8Array {
  const length = random.below(
    random.pick(rounds({ quick: [10, 3_000, 40_000], deep: [10, 3_000, 40_000, 400_000] })),
  );
  const from = random.below(16);
  const Bytes = random.pick([ArrayBuffer, SharedArrayBuffer]);
  const piece = new Uint8Array(new Bytes(from + length), from, length);
  for (let at = 0; at < length; at++) piece[at] = (at * 7 + length) & 255;
  return piece;
}

suite("engine/files/tableLog", (test) => {
  let folder = "";
  test.before(() => {
    folder = mkdtempSync(join(tmpdir(), "table-log-"));
  });
  test.after(() => rmSync(folder, { recursive: true, force: true }));

  test("appended bytes are written to the log unchanged, however their pieces are divided and aligned", async () => {
    const random = createRandom(Number(process.env["SEED"] ?? 20261203));
    const payloads = () =>
      Array.from({ length: 1 + random.below(3) }, () =>
        Array.from({ length: random.below(12) }, () => randomPiece(random)),
      );
    const path = join(folder, "log");
    const first = payloads();
    const log = await TableLog.create(nodeFiles, path, first);
    const others = Array.from({ length: 12 }, payloads);
    for (const each of others) await log.append(each);
    const expected = [first, ...others].flat().map((pieces) => Buffer.concat(pieces));
    const file = readFileSync(path);
    assert.equal(log.sizeBytes, file.length);
    await log.close();
    const { frames, damage } = readFrames(file);
    assert.equal(damage, undefined);
    assert.equal(frames.length, expected.length);
    frames.forEach((frame, index) => assert.ok(expected[index]?.equals(frame), `frame ${index}`));
  });

  test("logs that are written concurrently do not mix", async () => {
    const random = createRandom(Number(process.env["SEED"] ?? 20261203));
    const written = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const path = join(folder, `log ${index}`);
        const log = await TableLog.create(nodeFiles, path, []);
        const pieces = Array.from({ length: 30 }, () => [randomPiece(random)]);
        for (const piece of pieces) await log.append([piece]);
        await log.close();
        return { path, pieces };
      }),
    );
    for (const { path, pieces } of written) {
      const { frames } = readFrames(readFileSync(path));
      assert.equal(frames.length, pieces.length);
      frames.forEach((frame, index) => assert.ok(Buffer.concat(pieces[index] ?? []).equals(frame)));
    }
  });

  test.deep(
    "parts of a change are synced while later parts are written, and again when the change ends",
    async () => {
      let syncCount = 0;
      const log = await TableLog.create(countSyncs(), join(folder, "many parts"), []);
      syncCount = 0;
      for (let part = 0; part < 5; part++) await log.appendPart([new Uint8Array(2 ** 24)]);
      assert.equal(syncCount, 5);
      await log.appendPart([new Uint8Array(1000)]);
      assert.equal(syncCount, 5);
      await log.append([[new Uint8Array(10)]]);
      assert.equal(syncCount, 6);
      assert.equal(log.sizeBytes, readFileSync(log.path).length);
      await log.close();

      function countSyncs(): Files {
        return withSync((sync) => {
          syncCount++;
          return sync();
        });
      }
    },
  );

  test.deep(
    "a failed sync of a part fails the whole change, even if a later sync succeeds",
    async () => {
      for (const end of ["part", "change"]) {
        let fails = false;
        const files = withSync(async (sync) => {
          if (!fails) return sync();
          fails = false;
          throw new Error("the disk is gone");
        });
        const log = await TableLog.create(files, join(folder, `failed ${end}`), []);
        await log.append([[new Uint8Array(100)]]);
        const { sizeBytes } = log;
        fails = true;
        await log.appendPart([new Uint8Array(2 ** 24)]);
        const next = end === "part" ? log.appendPart([new Uint8Array(2 ** 24)]) : log.append([[]]);
        await assert.rejects(next, { code: "STORE_WRITE_FAILED" });
        assert.equal(log.sizeBytes, sizeBytes);
        assert.equal(readFileSync(log.path).length, sizeBytes);
        await log.append([[new Uint8Array(100)]]);
        assert.ok(log.sizeBytes > sizeBytes);
        await log.close();
      }
    },
  );
});

/** Returns files whose logs are synced by a given function. The function receives the real sync. */
function withSync(syncLog: (sync: () => Promise<void>) => Promise<void>): Files {
  return {
    ...nodeFiles,
    async openLog(path, create) {
      const file = await nodeFiles.openLog(path, create);
      return { ...file, sync: () => syncLog(() => file.sync()) };
    },
  };
}

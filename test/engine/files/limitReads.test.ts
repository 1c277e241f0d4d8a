import * as assert from "uvu/assert";
import { nodeFiles, type Files } from "../../../engine/files/files.ts";
import { limitReads } from "../../../engine/files/limitReads.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

/** Returns files whose reads are recorded in `begun`. A read ends only when the test ends it. */
function heldFiles() {
  const begun: { readonly position: number; readonly end: (error?: Error) => void }[] = [];
  const files: Files = {
    ...nodeFiles,
    openParts: () =>
      Promise.resolve({
        sizeBytes: 1000,
        read: (_into, position) =>
          new Promise<void>((resolve, reject) => {
            begun.push({ position, end: (error) => (error ? reject(error) : resolve()) });
          }),
        close: () => Promise.resolve(),
      }),
  };
  return { files, begun };
}

/** Lets pending promises continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

suite("engine/files/limitReads", (test) => {
  test("only the given number of reads run concurrently, and further reads start in order", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 50; round++) {
        const held = heldFiles();
        const limit = 1 + random.below(4);
        const files = limitReads(held.files, limit);
        const parts = [await files.openParts("one"), await files.openParts("other")];
        const readCount = random.below(12);
        const outcomes: string[] = [];
        const reads = Array.from({ length: readCount }, (_, position) =>
          random
            .pick(parts)
            .read(new Uint8Array(1), position)
            .then(
              () => void outcomes.push(`${position} is read`),
              (error: Error) => void outcomes.push(`${position} ${error.message}`),
            ),
        );
        const expected: string[] = [];
        const underWay = new Set<number>();
        let begunBefore = 0;
        for (let ended = 0; ended < readCount; ended++) {
          await settle();
          assert.equal(
            held.begun.map(({ position }) => position),
            Array.from({ length: Math.min(readCount, ended + limit) }, (_, position) => position),
          );
          for (const { position } of held.begun.slice(begunBefore)) underWay.add(position);
          begunBefore = held.begun.length;
          const position = random.pick([...underWay]);
          underWay.delete(position);
          const fails = random.chance(0.3);
          held.begun[position].end(fails ? new Error("fails") : undefined);
          expected.push(`${position} ${fails ? "fails" : "is read"}`);
        }
        await Promise.all(reads);
        assert.equal(outcomes, expected);
      }
    });
  });
});

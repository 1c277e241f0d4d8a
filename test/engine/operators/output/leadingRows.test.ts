import * as assert from "uvu/assert";
import { leadingRows } from "../../../../engine/operators/output/leadingRows.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

suite("engine/operators/output/leadingRows", (test) => {
  test("leadingRows keeps the rows between offset and offset + count for each combination of the outputs", () => {
    const columns = [Float64Array.of(1, 1, 2, 1, 2, 1), Float64Array.of(7, 7, 7, 7, 8, 7)];
    const kept = (outputs: number[], count: number, offset = 0) => [
      ...leadingRows(columns, { outputs, count, offset }, 6),
    ];
    assert.equal(kept([0], 2), [0, 1, 2, 4]);
    assert.equal(kept([0], 1, 1), [1, 4]);
    assert.equal(kept([0, 1], 1), [0, 2, 4]);
    assert.equal(kept([0, 1], 0), []);
    assert.equal(
      [...leadingRows([new Float64Array(0)], { outputs: [0], count: 1, offset: 0 }, 0)],
      [],
    );
  });

  test("leadingRows treats two nulls as equal, and -0 as equal to 0", () => {
    const values = Float64Array.of(NaN, 0, NaN, -0, 5);
    assert.equal([...leadingRows([values], { outputs: [0], count: 1, offset: 0 }, 5)], [0, 1, 4]);
  });

  test("leadingRows finds the same rows as a map of all combinations", async () => {
    const random = createRandom();
    await withSeed(random, () => {
      const rowCount = rounds({ quick: 15_000, deep: 50_000 });
      const columns = [7, 30_000, 2 ** 40].map((most) =>
        Float64Array.from({ length: rowCount }, () =>
          random.chance(0.05) ? NaN : random.below(most) - 3.5,
        ),
      );
      for (const outputs of [[0], [1], [2], [0, 1], [1, 0, 2]]) {
        const seen = new Map<string, number>();
        const expected: number[] = [];
        for (let row = 0; row < rowCount; row++) {
          const key = outputs.map((output) => columns[output][row]).join();
          const place = seen.get(key) ?? 0;
          seen.set(key, place + 1);
          if (place >= 1 && place < 3) expected.push(row);
        }
        assert.equal(
          [...leadingRows(columns, { outputs, count: 2, offset: 1 }, rowCount)],
          expected,
        );
      }
      return Promise.resolve();
    });
  });
});

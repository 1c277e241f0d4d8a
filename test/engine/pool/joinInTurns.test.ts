import * as assert from "uvu/assert";
import { joinInTurns } from "../../../engine/pool/joinInTurns.ts";
import { suite } from "../../support/suite.ts";

suite("engine/pool/joinInTurns", (test) => {
  const column = (from: number, length: number) =>
    Float64Array.from({ length }, (_, index) => from + index);

  test("the columns of several parts are concatenated in the order of the parts", async () => {
    const parts = [
      [column(0, 3), column(10, 3)],
      [column(3, 0), column(13, 0)],
      [column(3, 2), column(13, 2)],
    ];
    assert.equal(await joinInTurns(parts), [column(0, 5), column(10, 5)]);
    assert.equal(await joinInTurns([[], []]), []);
    assert.is((await joinInTurns([parts[0]!]))[0], parts[0]![0], "a single part is not copied");
  });

  test("other work gets turns while a wide answer is concatenated", async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns++;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const part = Array.from({ length: 8 }, () => column(0, 2 ** 17));
    const joined = await joinInTurns([part, part]);
    isDone = true;
    assert.is(joined.length, 8);
    assert.ok(turns >= 8, `${turns} turns`);
  });
});

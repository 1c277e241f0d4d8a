import * as assert from "uvu/assert";
import { JsonWriter } from "../../../../core/queries/present/jsonWriter.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

suite("core/queries/present/jsonWriter", (test) => {
  const random = createRandom();

  test("strings and numbers are written as JSON.stringify writes them, in any order", () =>
    withSeed(random, async () => {
      const texts = [
        "",
        "Ghent",
        'a "quoted" one',
        "back\\slash",
        "line\nfeed",
        "\u007f",
        "é",
        "東京",
      ];
      texts.push("🦄", "\ud800", "\u2028", "x".repeat(5000), "é".repeat(70_000));
      const numbers = [0, -0, 9, 10, 99, 100, 999_999_999, 1e9, 2 ** 31, -1, 0.1, 1e21, 5e-324];
      const writer = new JsonWriter();
      for (let round = 0; round < 200; round++) {
        let expected = "";
        for (let count = random.below(20); count >= 0; count--) {
          const value = random.chance(0.5) ? random.pick(texts) : random.pick(numbers);
          if (typeof value === "string") writer.text(value);
          else writer.number(value);
          writer.ascii(",");
          expected += `${JSON.stringify(value)},`;
        }
        assert.is(writer.take(), expected);
      }
    }));

  test("two writers that are used alternately do not mix their output", () => {
    const [one, other] = [new JsonWriter(), new JsonWriter()];
    one.text("first");
    other.text("second");
    one.number(1);
    assert.is(other.take(), '"second"');
    other.text("third");
    assert.is(one.take(), '"first"1');
    assert.is(other.take(), '"third"');
  });

  test("a writer is full at 64 KiB, and empty after take is called", () => {
    const writer = new JsonWriter();
    for (let count = 0; count < 2 ** 16 - 1; count++) writer.ascii("x");
    assert.not(writer.isFull);
    writer.ascii("x");
    assert.ok(writer.isFull);
    assert.is(writer.take().length, 2 ** 16);
    assert.not(writer.isFull);
    assert.is(writer.take(), "");
  });
});

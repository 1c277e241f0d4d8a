import { setTimeout } from "node:timers/promises";
import * as assert from "uvu/assert";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { startOrdering } from "../../../engine/warming/startOrdering.ts";
import { createRandom } from "../../support/random.ts";
import { eventually } from "../../support/eventually.ts";
import { suite } from "../../support/suite.ts";

const never = () => false;

function dictionaryOf(texts: readonly string[]): Dictionary {
  const dictionary = new Dictionary();
  for (const text of texts) dictionary.encode(text);
  return dictionary;
}

function randomTexts(count: number): readonly string[] {
  const random = createRandom();
  const texts = new Set<string>();
  while (texts.size < count) texts.add(`text ${random.below(1e9)}`);
  return [...texts];
}

suite("engine/warming/startOrdering", (test) => {
  test("after rows arrive, all dictionaries are ordered, including strings added later", async () => {
    const texts = randomTexts(5000);
    const prepared = [dictionaryOf(texts.slice(0, 3000)), dictionaryOf(["b", "a"])];
    const dictionaries = () => [undefined, ...prepared];
    const ordering = startOrdering({ dictionaries, isBusy: never });
    await setTimeout(30);
    assert.ok(prepared.every(({ isOrdered }) => !isOrdered));
    for (const count of [3000, 3010, 5000]) {
      for (const text of texts.slice(0, count)) prepared[0].encode(text);
      ordering.note();
      await eventually(
        () => prepared.every(({ isOrdered }) => isOrdered),
        "the strings are in order",
      );
      assert.equal(prepared[0].order(), dictionaryOf(texts.slice(0, count)).order());
    }
    ordering.end();
  });

  test("dictionaries are ordered only while the store is idle", async () => {
    const dictionary = dictionaryOf(["b", "a"]);
    let isBusy = true;
    const ordering = startOrdering({ dictionaries: () => [dictionary], isBusy: () => isBusy });
    ordering.note();
    await setTimeout(60);
    assert.not(dictionary.isOrdered);
    isBusy = false;
    await eventually(() => dictionary.isOrdered, "the strings are in order");
    ordering.end();
  });

  test("large dictionaries, long strings and dictionaries without an index are ordered only by queries", async () => {
    const many = dictionaryOf(Array.from({ length: 2 ** 16 + 1 }, (_, index) => `${index}`));
    const long = dictionaryOf(["b", "a"].map((letter) => letter.repeat(2 ** 22)));
    const unindexed = new Dictionary(["b", "a"]);
    const last = dictionaryOf(["b", "a"]);
    const dictionaries = [many, long, unindexed, last];
    const ordering = startOrdering({ dictionaries: () => dictionaries, isBusy: never });
    ordering.note();
    await eventually(() => last.isOrdered, "the strings are in order");
    await setTimeout(30);
    assert.equal(
      dictionaries.map(({ isOrdered }) => isOrdered),
      [false, false, false, true],
    );
    assert.not(unindexed.isIndexed);
    ordering.end();
  });

  test("no dictionary is ordered once ordering was stopped or failed", async () => {
    const dictionary = dictionaryOf(["b", "a"]);
    const ended = startOrdering({ dictionaries: () => [dictionary], isBusy: never });
    ended.note();
    ended.end();
    ended.note();
    let orderCount = 0;
    const failing = dictionaryOf(["b", "a"]);
    failing.order = () => {
      orderCount++;
      throw new RangeError("no room");
    };
    const ordering = startOrdering({ dictionaries: () => [failing], isBusy: never });
    ordering.note();
    await eventually(() => orderCount === 1, "the order was requested");
    ordering.note();
    await setTimeout(40);
    assert.is(orderCount, 1);
    assert.not(dictionary.isOrdered);
  });
});

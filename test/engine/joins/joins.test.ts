import * as assert from "uvu/assert";
import { EngineError } from "../../../engine/errors.ts";
import { mapCodesByPlace, mapNumbersByPlace } from "../../../engine/joins/mapByPlace.ts";
import { findRows, indexRows } from "../../../engine/joins/rowIndex.ts";
import { matchCodes, placesByText } from "../../../engine/joins/placesByText.ts";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";

const city = { table: "cities", name: "id", type: "text" } as const;
const number = { table: "people", name: "id", type: "number" } as const;

function makeDictionary(texts: readonly string[], textCount = texts.length) {
  return { dictionary: new Dictionary(texts), textCount };
}

/** Returns a dictionary that already has an index of its strings. */
function makeIndexed(texts: readonly string[], textCount = texts.length) {
  const dictionary = new Dictionary();
  for (const text of texts) dictionary.encode(text);
  return { dictionary, textCount };
}

function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]);
}

function thrown(run: () => unknown): EngineError {
  try {
    run();
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error("the call did not throw");
}

suite("engine/joins", (test) => {
  test("every string of the left column finds its row, whichever dictionary is larger", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const beginning = random.pick(["t", "", "Ünïcode 日本 "]);
        const names = Array.from({ length: 40 }, (_, index) => `${beginning}${index}`);
        const make = random.pick([makeDictionary, makeIndexed]);
        const left = make(random.some(shuffled(random, names), 0.6));
        const rightTexts = random.some(shuffled(random, names), random.pick([0.1, 0.9]));
        const right = make(rightTexts);
        const used = random.some(shuffled(random, rightTexts), 0.8);
        const cells = shuffled(random, [...used, null, null]);
        const codes = cells.map((text) =>
          text === null ? 0 : (right.dictionary.codeOf(text) ?? -9) + 1,
        );
        const places = placesByText(matchCodes(left, right), right, codes, city);
        assert.equal(
          [...places],
          [0, ...left.dictionary.texts.map((text) => cells.indexOf(text) + 1)],
          `${round}`,
        );
      }
    });
  });

  test("a join ignores strings that were added after its snapshot", () => {
    for (const make of [makeDictionary, makeIndexed]) {
      const right = make(["a", "b", "c"], 2);
      assert.equal(
        [...placesByText(matchCodes(make(["c", "b"]), right), right, [1, 2], city)],
        [0, 0, 2],
      );
      const left = make(["a", "b", "c"], 1);
      const two = make(["c", "a"]);
      assert.equal([...placesByText(matchCodes(left, two), two, [1, 2], city)], [0, 2]);
    }
  });

  test("a joined value other than null that occurs twice is rejected, and the error names the value", () => {
    const texts = makeDictionary(["a", 'b "q"']);
    const text = thrown(() => placesByText(matchCodes(texts, texts), texts, [0, 0, 2, 1, 2], city));
    assert.is(text.code, "JOIN_AMBIGUOUS");
    assert.equal(text.details, ["id", "cities", '"b \\"q\\""']);
    for (const values of [
      [4, NaN, 7, NaN, 7],
      [0.5, 7, 1e300, 7],
    ]) {
      const error = thrown(() => indexRows(Float64Array.from(values), number));
      assert.is(error.code, "JOIN_AMBIGUOUS");
      assert.equal(error.details, ["id", "people", 7]);
    }
    for (const zeros of [
      [0, -0],
      [-0, 0, 0.5],
    ])
      assert.is(thrown(() => indexRows(Float64Array.from(zeros), number)).details[2], 0);
    const datetime = { table: "days", name: "day", type: "datetime" } as const;
    const when = Float64Array.from([86_400_000, 86_400_000]);
    assert.is(thrown(() => indexRows(when, datetime)).details[2], "1970-01-02T00:00:00.000Z");
  });

  test("every number finds its row, whether rows are looked up by range or by hash", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 200; round++) {
        const kind = random.pick(["dense", "sparse", "fraction", "far"] as const);
        const make = {
          dense: () => random.below(2000) - 1000,
          sparse: () => random.below(2 ** 30) * 4096 - 2 ** 40,
          fraction: () => (random.below(400) - 200) / 8,
          far: () => random.pick([1, -1]) * 2 ** (random.below(2000) - 1000),
        }[kind];
        const distinct = [...new Set(Array.from({ length: random.below(300) }, make))].map(
          (value) => value + 0,
        );
        const values = Float64Array.from(shuffled(random, [...distinct, NaN, NaN]));
        const index = indexRows(values, number, random.pick([undefined, 2 ** 16]));
        if (kind === "dense" && distinct.length > 250) assert.is(index.kind, "range");
        if (kind === "sparse" && distinct.length > 1) assert.is(index.kind, "hash");
        const probes = Float64Array.from([
          ...values,
          NaN,
          -0,
          0.25,
          1e-17,
          1 - 2 ** -53,
          0.1 * 3 * 10,
          1e308,
          -1e308,
          Infinity,
          make(),
        ]);
        const found = new Uint32Array(probes.length + 1).fill(77);
        findRows(index, probes, found);
        const expected = [...probes].map((probe) => values.indexOf(probe) + 1);
        assert.equal([...found], [...expected, 77], kind);
      }
    });
  });

  test("a join finds nothing if the joined column has no rows or only nulls", () => {
    for (const values of [[], [NaN, NaN]]) {
      const index = indexRows(Float64Array.from(values), number);
      const found = new Uint32Array(3).fill(77);
      findRows(index, Float64Array.from([0, NaN, 1]), found);
      assert.equal([...found], [0, 0, 0]);
    }
    const [one, none] = [makeDictionary(["a"]), makeDictionary([])];
    assert.equal([...placesByText(matchCodes(one, none), none, [], city)], [0, 0]);
    assert.equal([...placesByText(matchCodes(none, one), one, [1], city)], [0]);
  });

  test("joined values are looked up by row, and are null for a missing row", () => {
    const places = Uint32Array.from([0, 2, 1, 0, 3]);
    assert.equal([...mapCodesByPlace(places, [7, 0, 9])], [0, 0, 7, 0, 9]);
    assert.equal(
      [...mapNumbersByPlace(places, Float64Array.from([7, NaN, 9]))],
      [NaN, NaN, 7, NaN, 9],
    );
    const given = new Uint32Array(5);
    assert.is(mapCodesByPlace(places, [7, 0, 9], given), given);
  });
});

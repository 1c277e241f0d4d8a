import * as assert from "uvu/assert";
import {
  createColors,
  fetchValues,
  lightTheme,
  readItem,
  type ItemQuery,
} from "../../../../../core/web/charts/index.ts";
import { createRandom } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

const { series } = lightTheme;
const values = Array.from({ length: 40 }, (_, index) => `value ${index}`);

const shuffled = (list: readonly string[]) => {
  const random = createRandom();
  return list
    .map((value) => ({ value, at: random.below(1_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ value }) => value);
};

const itemOf = (type: string, slots: Readonly<Record<string, string>>, options: object = {}) =>
  readItem({
    type,
    options,
    slots: Object.entries(slots).map(([name, columnId]) => ({
      name,
      content: [{ datasetId: "d", columnId, type: "hierarchy" }],
    })),
  });

suite("core/web/charts/color/createColors", (test) => {
  test("a value has the same colour whichever value is drawn first", () => {
    for (const listed of [new Map(), new Map([["c", values]])]) {
      const colors = createColors(lightTheme, listed);
      const first = new Map(values.map((value) => [value, colors.of("c", value)]));
      const later = createColors(lightTheme, listed);
      for (const value of shuffled(values))
        assert.is(later.of("c", value), first.get(value), value);
    }
  });

  test("the ten most common values of a column have ten different colours", () => {
    const colors = createColors(lightTheme, new Map([["c", values]]));
    for (const from of [0, 10, 20, 30]) {
      const round = values.slice(from, from + 10).map((value) => colors.of("c", value));
      assert.is(new Set(round).size, 10);
    }
  });

  test("without rare values, most common values keep their colours", () => {
    const all = createColors(lightTheme, new Map([["c", values]]));
    const few = createColors(lightTheme, new Map([["c", values.slice(0, 10)]]));
    for (const value of values.slice(0, 10)) assert.is(few.of("c", value), all.of("c", value));
  });

  test("colours of values that nobody listed are spread over the palette", () => {
    const colors = createColors(lightTheme);
    const counts = new Map(series.map((color) => [color, 0]));
    for (let index = 0; index < 5_000; index++) {
      const color = colors.of("c", `city ${index}`);
      counts.set(color, (counts.get(color) ?? 0) + 1);
    }
    for (const [color, count] of counts)
      assert.ok(count > 350 && count < 650, `${color}: ${count}`);
  });

  test("the stored colour of a value wins unless it is not a colour", () => {
    const colors = createColors(lightTheme);
    assert.is(colors.of("c", "a", "#123456"), "#123456");
    assert.is(colors.of("c", "a", "url(x)"), colors.of("c", "a"));
  });

  test("the values of coloured columns are listed once, in one call and without filters", async () => {
    const calls: (readonly ItemQuery[])[] = [];
    const items = [
      itemOf("line-chart", { "x-axis": "at", legend: "product", measure: "km" }),
      itemOf("donut-chart", { category: "product", measure: "km" }),
      itemOf("bar-chart", { "y-axis": "city", measure: "km" }),
      itemOf("treemap-chart", { category: "city", color: "region", measure: "km" }),
      itemOf(
        "regular-table",
        { columns: "state" },
        { columns: [{ id: "state", mode: "categoryBadge" }] },
      ),
    ];
    const listed = await fetchValues(items, async (queries) => {
      calls.push(queries);
      return queries.map((_query, index) =>
        index === 1 ? { rows: [], failure: new Error("refused") } : { rows: [["b"], [null]] },
      );
    });
    const [queries = []] = calls;
    assert.is(calls.length, 1);
    assert.equal(
      queries.map(({ dimensions }) => dimensions?.[0]),
      ["product", "region", "state"].map((columnId) => ({ dataset_id: "d", column_id: columnId })),
    );
    for (const query of queries) assert.is(query.where, undefined);
    assert.equal([...listed.keys()], ["product", "state"]);
    assert.equal(
      await fetchValues([items[2]!], () => Promise.reject(new Error("called"))),
      new Map(),
    );
  });
});

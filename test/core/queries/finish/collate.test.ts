import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "name", type: "hierarchy" },
  { id: "city", type: "hierarchy" },
  { id: "km", type: "numeric" },
];
const rows: readonly (readonly Cell[])[] = [
  ["zebra", "b", 1],
  ["Äpfel", "b", 2],
  ["apple", "a", 4],
  ["Zoo", "a", 8],
  ["öl", "a", 16],
  ["Ost", "a", 32],
  [null, "a", 64],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const names = (data: readonly (readonly unknown[])[], at = 0) =>
  data.map((row) => (row[at] as { id: string } | null)?.id ?? null);
const english = ["Äpfel", "apple", "öl", "Ost", "zebra", "Zoo", null];

suite("core/queries/finish/collate", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("strings are sorted by the rules of the language, with nulls last, on every kind of source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const sendQuery = async (locale_id: unknown, more: object = {}) =>
        names(
          (await host.sendQuery({ dimensions: [ref("name")], ...more, options: { locale_id } }))
            .data,
        );
      assert.equal(
        await sendQuery(undefined),
        ["Ost", "Zoo", "apple", "zebra", "Äpfel", "öl", null],
        name,
      );
      assert.equal(await sendQuery("en"), english, name);
      assert.equal(await sendQuery("de_DE"), english, name);
      assert.equal(
        await sendQuery("sv"),
        ["apple", "Ost", "zebra", "Zoo", "Äpfel", "öl", null],
        name,
      );
      const order = [ref("name", { order: "desc" })];
      assert.equal(
        await sendQuery("en", { order }),
        [...english.slice(0, 6).toReversed(), null],
        name,
      );
      assert.equal(
        await sendQuery("en", { order, limit: { by: 2, offset: 1 } }),
        ["zebra", "Ost"],
        name,
      );
      assert.equal(await sendQuery("en", { limit: { by: 3 } }), english.slice(0, 3), name);
      assert.equal(await sendQuery("tlh"), english, name);
    }
  });

  test("sorting strings by language works with cumulative sums, formulas, `having` and complete dimensions", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const options = { locale_id: "sv" };
      const running = await host.sendQuery({
        dimensions: [ref("name")],
        measures: [ref("km", { aggregation: "cumulativesum" }), { formula: "SUM({D:km}) * 2" }],
        having: [{ expression: "? < ?", parameters: [ref("km", { aggregation: "sum" }), 64] }],
        options,
      });
      assert.equal(
        running.data.map((row, index) => [names([row])[0], row[1], row[2], index]),
        [
          ["apple", 4, 8, 0],
          ["Ost", 36, 64, 1],
          ["zebra", 37, 2, 2],
          ["Zoo", 45, 16, 3],
          ["Äpfel", 47, 4, 4],
          ["öl", 63, 32, 5],
        ],
        name,
      );
      const last = ref("name", { aggregation: "max" });
      const extremes = await host.sendQuery({
        dimensions: [ref("city")],
        measures: [last],
        order: [{ ...last, order: "asc" }],
        options: { locale_id: "en" },
      });
      assert.equal(names(extremes.data, 1), ["Äpfel", "öl"], name);
      const complete = await host.sendQuery({
        dimensions: [ref("name", { include_nonoccurring: true })],
        measures: [ref("*", { aggregation: "count" })],
        where: [{ expression: "? > ?", parameters: [ref("km"), 30] }],
        options: { locale_id: "en" },
      });
      assert.equal(names(complete.data), english, name);
      assert.equal(
        complete.data.map((row) => row[1]),
        [0, 0, 0, 1, 0, 0, 1],
        name,
      );
    }
  });

  test("plain rows are sorted by language if `order` names a string column, and otherwise by code point", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const raw = { dimensions: [ref("name"), ref("km")] };
      const options = { rollup_data: false, locale_id: "en" };
      const order = [ref("name", { order: "asc" })];
      const sorted = await host.sendQuery({ ...raw, order, options, limit: { by: 4, offset: 1 } });
      assert.equal(names(sorted.data), english.slice(1, 5), name);
      assert.is(sorted.data[0]?.length, 2);
      const plain = await host.sendQuery({ ...raw, options });
      assert.equal(names(plain.data).slice(0, 2), ["Ost", "Zoo"], name);
    }
  });

  test("ties are broken by code point, so the plugin can apply the limit", async () => {
    const host = await createPlainHost({ columns, rows, source: createPlainPlugin() });
    const { data } = await host.sendQuery({
      dimensions: [ref("name")],
      measures: [ref("*", { aggregation: "count" })],
      order: [ref("*", { aggregation: "count", order: "desc" })],
      limit: { by: 2 },
      options: { locale_id: "en" },
    });
    assert.equal(names(data), ["Ost", "Zoo"]);
    assert.equal(host.source.requested[0]?.limit, { by: 2, offset: 0 });
  });

  test("the explanation states that the host sorts the strings, not the plugin", async () => {
    const host = await createPlainHost({ columns, rows, source: createPlainPlugin() });
    for (const more of [
      {},
      { having: [{ expression: "? > ?", parameters: [ref("km", { aggregation: "sum" }), 0] }] },
    ]) {
      const find = { dimensions: [ref("name")], measures: [ref("km")], limit: { by: 2 }, ...more };
      const answer = await host.sendQuery({ ...find, options: { locale_id: "en" }, explain: true });
      const { explain } = answer as unknown as {
        explain: { steps: { clause: string; pushed: boolean; reason?: string }[] };
      };
      assert.equal(
        explain.steps
          .filter(({ reason }) => reason?.includes("rules of a language"))
          .map(({ clause }) => clause),
        ["order", "limit"],
      );
      assert.equal(names(answer.data), english.slice(0, 2));
    }
  });

  test("random strings are sorted as Intl.Collator sorts them, with ties broken by code point", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const letters = [..."aAbBäÄåzZöé10-_ ", "e\u0301", "ß", "ss", "日", "𝒳", "\uffee"];
      for (let index = 0; index < rounds({ quick: 4, deep: 25 }); index++) {
        const texts = Array.from({ length: 40 }, () =>
          Array.from({ length: random.below(4) }, () => random.pick(letters)).join(""),
        );
        const locale_id = random.pick(["en", "sv", "de-u-co-phonebk", "en-u-kn-true", "ja", "tr"]);
        const { compare } = new Intl.Collator(locale_id);
        const points = (text: string) => Array.from(text, (each) => each.codePointAt(0) ?? 0);
        const expected = [...new Set(texts)].toSorted((one, other) => {
          const [left, right] = [points(one), points(other)];
          const at = left.findIndex((point, place) => point !== right[place]);
          const byPoint = at < 0 ? -1 : (left[at] ?? 0) - (right[at] ?? -1);
          return compare(one, other) || (one === other ? 0 : byPoint);
        });
        const host = await createPlainHost({ columns, rows: texts.map((text) => [text, "a", 1]) });
        const { data } = await host.sendQuery({
          dimensions: [ref("name")],
          options: { locale_id },
        });
        assert.equal(names(data), expected, locale_id);
      }
    });
  });

  test("the host sorts rows, groups, nulls and pages exactly like the scratch plugin", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let index = 0; index < rounds({ quick: 8, deep: 60 }); index++) {
        const many = Array.from({ length: random.below(40) }, (): Cell[] => [
          random.pick(["zebra", "Äpfel", "apple", "Zoo", "öl", "", null]),
          random.pick(["a", "B", "é", null]),
          random.pick([-1, 0, 2, 10, null]),
        ]);
        const total = ref("km", { aggregation: random.pick(["sum", "min", "count"]) });
        const items = [ref("name"), ref("city"), total];
        const query = {
          dimensions: items.slice(0, 2),
          measures: [total],
          order: random
            .some(items, 0.6)
            .map((item) => Object.assign({ order: random.pick(["asc", "desc"]) }, item)),
          ...(random.chance(0.5) && { limit: { by: random.below(8), offset: random.below(4) } }),
          options: { locale_id: random.pick(["en", "sv"]) },
        };
        const count = { column_id: "*", dataset_id: "D", aggregation: "count" };
        const having = [{ expression: "? >= ?", parameters: [count, 0] }];
        const host = await createPlainHost({ columns, rows: many });
        const sorted = (await host.sendQuery(query)).data;
        assert.equal(
          sorted,
          (await host.sendQuery({ ...query, having })).data,
          JSON.stringify(query),
        );
        const raw = { ...query, options: { ...query.options, rollup_data: false } };
        const all = (await host.sendQuery({ ...raw, limit: undefined })).data;
        assert.is(all.length, many.length);
        const { by = Infinity, offset = 0 } = query.limit || {};
        assert.equal((await host.sendQuery(raw)).data, all.slice(offset, offset + by));
      }
    });
  });

  test("an invalid locale fails with 400, and the error names the path of the member", async () => {
    const host = await createPlainHost({ columns, rows });
    for (const locale_id of [5, {}, "not a locale", "e", "en--", "x".repeat(70), ["en"]]) {
      const refused = await refusal(
        host.sendQuery({ dimensions: [ref("name")], options: { locale_id } }),
      );
      assert.is(refused.code, "MEMBER_INVALID", String(locale_id));
      assert.match(refused.message, /options\.locale_id.*a language such as nl or pt-BR/);
    }
    for (const locale_id of [null, ""])
      assert.is(
        (await host.sendQuery({ dimensions: [ref("name")], options: { locale_id } })).data.length,
        7,
      );
  });
});

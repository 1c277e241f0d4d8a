import * as assert from "uvu/assert";
import type { Labels, ValueLabel } from "../../../../core/queries/labels.ts";
import { createPlainHost } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

const rows = [
  ["Ghent", "a", 1],
  ["Lille", "b", 2],
  ["Bruges", "a", 4],
  [null, "b", 8],
] as const;

/** Creates labels for the column `city`. Records every look-up of labels. */
function createLabels(stored: Readonly<Record<string, ValueLabel>>) {
  const requested: (readonly string[] | undefined)[] = [];
  const labels: Labels = {
    async count(ids) {
      const count = Object.keys(stored).length;
      return new Map(ids.includes("city") && count > 0 ? [["city", count]] : []);
    },
    async find(columnId, values) {
      assert.is(columnId, "city");
      requested.push(values);
      const found = Object.entries(stored).filter(([value]) => values?.includes(value) ?? true);
      return new Map(found);
    },
  };
  return { requested, labels };
}

const stored = {
  Ghent: { name: { en: "Ghent", fr: "Gand", "nl-BE": "Gent" }, color: "#0000ff" },
  Lille: { name: { nl: "Rijsel" }, color: null },
  Bruges: { name: null, color: "#ff0000" },
  Secret: { name: { en: "of no row" }, color: null },
};
const city = { dataset_id: "D", column_id: "city" };
const kind = { dataset_id: "D", column_id: "kind" };

suite("core/queries/present/findLabels", (test) => {
  const open = (labels: Labels) =>
    createPlainHost({
      columns: [
        { id: "city", type: "hierarchy" },
        { id: "kind", type: "hierarchy" },
        { id: "km", type: "numeric" },
      ],
      rows,
      labels,
    });
  const cellsOf = (data: readonly (readonly unknown[])[]) =>
    new Map(data.map(([cell]) => [(cell as { id: string } | null)?.id, cell]));

  test("a cell with a label shows the label's name in the requested language, and its color", async () => {
    const { labels } = createLabels(stored);
    const { sendQuery } = await open(labels);
    const requested: readonly (readonly [string | undefined, object, object])[] = [
      ["fr", { fr: "Gand" }, { fr: "Rijsel" }],
      ["fr-CA", { "fr-CA": "Gand" }, { "fr-CA": "Rijsel" }],
      ["nl_be", { "nl-BE": "Gent" }, { "nl-BE": "Rijsel" }],
      // The label has no name in the requested language: the cell has the English name, or else the first name.
      ["de", { de: "Ghent" }, { de: "Rijsel" }],
      ["en", { en: "Ghent" }, { en: "Rijsel" }],
      // No language is requested: the cell has all stored names, plus an English name if none is stored.
      [undefined, { en: "Ghent", fr: "Gand", "nl-BE": "Gent" }, { en: "Rijsel", nl: "Rijsel" }],
    ];
    for (const [locale_id, ghent, lille] of requested) {
      const { data } = await sendQuery({ dimensions: [city], options: { locale_id } });
      const cells = cellsOf(data);
      assert.equal(cells.get("Ghent"), { id: "Ghent", name: ghent, color: "#0000ff" });
      assert.equal(cells.get("Lille"), { id: "Lille", name: lille });
      // Without a label, the value is its own name.
      assert.equal(cells.get("Bruges"), { id: "Bruges", name: { en: "Bruges" }, color: "#ff0000" });
      assert.is(cells.get(undefined), null);
    }
  });

  test("cells have no color if their column has no colors", async () => {
    const { labels } = createLabels(stored);
    const { sendQuery } = await createPlainHost({
      columns: [
        { id: "city", type: "hierarchy", colors_enabled: false },
        { id: "kind", type: "hierarchy" },
        { id: "km", type: "numeric" },
      ],
      rows,
      labels,
    });
    const cells = cellsOf((await sendQuery({ dimensions: [city] })).data);
    assert.equal(cells.get("Bruges"), { id: "Bruges", name: { en: "Bruges" } });
    assert.equal(Object.keys(Object(cells.get("Lille"))), ["id", "name"]);
  });

  test("the host looks up labels only for values in the answer", async () => {
    const { requested, labels } = createLabels(stored);
    const { sendQuery } = await open(labels);
    const where = [{ expression: "? = ?", parameters: [kind, "a"] }];
    await sendQuery({ dimensions: [city], where });
    assert.equal(
      requested.map((values) => values?.toSorted()),
      [["Bruges", "Ghent"]],
    );
  });

  test("the host looks up no labels for plain cells, for computed strings or for columns without labels", async () => {
    const { requested, labels } = createLabels(stored);
    const { sendQuery } = await open(labels);
    const made = { dataset_id: "D", expression: "upper({D:city})" };
    for (const query of [
      { dimensions: [kind] },
      { dimensions: [made] },
      { dimensions: [city], options: { cells: "plain" } },
      { measures: [{ ...city, aggregation: { type: "count" } }] },
    ])
      await sendQuery(query);
    assert.equal(requested, []);
    const none = createLabels({});
    await (await open(none.labels)).sendQuery({ dimensions: [city] });
    assert.equal(none.requested, []);
  });

  test("each cell of a row gets the labels of its own column", async () => {
    const { labels } = createLabels(stored);
    const { sendQuery } = await open(labels);
    const smallest = { ...city, aggregation: { type: "min" } };
    const { data } = await sendQuery({
      dimensions: [kind],
      measures: [smallest],
      options: { locale_id: "fr" },
    });
    assert.equal(data, [
      [
        { id: "a", name: { en: "a" } },
        { id: "Bruges", name: { en: "Bruges" }, color: "#ff0000" },
      ],
      [
        { id: "b", name: { en: "b" } },
        { id: "Lille", name: { fr: "Rijsel" } },
      ],
    ]);
  });
});

import * as assert from "uvu/assert";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { filterOn, ref, text } from "./joinedSales.ts";

const orders: JoinedDataset = {
  id: "O",
  columns: [
    { id: "order", type: "numeric" },
    { id: "cust", type: "hierarchy" },
    { id: "shipping", type: "numeric" },
    { id: "charged", type: "numeric", expression: "coalesce({O:shipping}, 0) + 1" },
  ],
  rows: [
    [1, "x", 10],
    [2, "y", 20],
    [3, "x", 30],
    [4, "z", null],
  ],
};
const lines: JoinedDataset = {
  id: "L",
  columns: [
    { id: "lineorder", type: "numeric" },
    { id: "qty", type: "numeric" },
    { id: "product", type: "hierarchy" },
  ],
  rows: [
    [1, 1, "pen"],
    [1, 2, "pen"],
    [2, 5, "ink"],
    [1, 7, "ink"],
    [null, 100, "ink"],
    [9, 200, "pen"],
  ],
};
const payments: JoinedDataset = {
  id: "P",
  columns: [
    { id: "paidorder", type: "numeric" },
    { id: "eur", type: "numeric" },
    { id: "card", type: "hierarchy" },
  ],
  rows: [
    [1, 4, "visa"],
    [1, 6, "visa"],
    [3, 30, "cash"],
  ],
};
const datasets = [orders, lines, payments];
const links = [
  ["lineorder", "order"],
  ["paidorder", "order"],
] as const;
const sum = (dataset: string, column: string) =>
  ref(dataset, column, { aggregation: { type: "sum" } });
const cust = ref("O", "cust");
const shipping = sum("O", "shipping");
const qty = sum("L", "qty");

const openHosts = async () => {
  const one = createPlainPlugin(everyCapability);
  const basic = createPlainPlugin({});
  return Promise.all(
    [
      { plugins: { O: one, L: one, P: one } },
      {},
      { plugins: { O: basic, L: basic, P: basic } },
    ].map((options) => createJoinedHost({ datasets, links, ...options })),
  );
};

async function answersAre(query: object, expected: unknown, warnings?: readonly string[]) {
  for (const host of await openHosts()) {
    const answer = await host.sendQuery(query);
    assert.equal(answer.data, expected);
    assert.equal(answer.warnings, warnings);
  }
}

suite("core/queries/join/measuresOfDatasets", (test) => {
  test("each measure is computed over the rows of its own dataset, including rows without a match", async () => {
    await answersAre({ dimensions: [cust], measures: [shipping, qty] }, [
      [text("x"), 40, 10],
      [text("y"), 20, 5],
      [text("z"), null, null],
      [null, null, 300],
    ]);
    await answersAre({ measures: [shipping, qty, sum("O", "charged")] }, [[60, 315, 64]]);
  });

  test("explain lists the filters of every part of a split query", async () => {
    const [host] = await openHosts();
    const filters = [
      filterOn("L", "product", "? = ?", "pen"),
      filterOn("P", "card", "? = ?", "visa"),
    ];
    const { explain } = (await host!.explain(
      { measures: [shipping, qty, sum("P", "eur")] },
      embedOf({ filters }),
    )) as { explain: { pushdown: readonly { dataset_id?: string }[] } };
    const named = explain.pushdown.map(({ dataset_id: id }) => id);
    assert.equal(named.toSorted(), ["L", "P"]);
  });

  test("a dataset without rows in a group has 0 for counts and null for other measures", async () => {
    const count = (dataset: string, column: string) =>
      ref(dataset, column, { aggregation: { type: "count" } });
    await answersAre(
      { dimensions: [cust], measures: [count("O", "order"), count("L", "qty"), qty] },
      [
        [text("x"), 2, 3, 10],
        [text("y"), 1, 1, 5],
        [text("z"), 1, 0, null],
        [null, 0, 2, 300],
      ],
    );
  });

  test("grouped by a finer dataset, each row counts once per group, and a warning says how many rows have no group", async () => {
    await answersAre(
      {
        dimensions: [ref("L", "product")],
        measures: [
          shipping,
          qty,
          sum("O", "charged"),
          ref("O", "shipping", { aggregation: { type: "average" } }),
        ],
      },
      [
        [text("ink"), 30, 112, 32, 15],
        [text("pen"), 10, 203, 11, 10],
      ],
      [
        "2 of 4 rows of dataset O match no row of dataset L, so the measures of O do not include them. To include them, group and filter by columns that O determines",
      ],
    );
  });

  test("a filter on a finer dataset keeps the rows that have a match, each once and without a warning", async () => {
    await answersAre(
      {
        dimensions: [cust],
        measures: [shipping],
        where: [{ expression: "? = ?", parameters: [ref("L", "product"), "pen"] }],
      },
      [
        [text("x"), 10],
        [null, null],
      ],
    );
  });

  test("formulas, having, order, limits, cumulative sums and added values use the combined groups", async () => {
    await answersAre(
      {
        dimensions: [cust],
        measures: [
          { formula: "SUM({O:shipping}) / SUM({L:qty})" },
          ref("O", "shipping", { aggregation: "cumulativesum" }),
        ],
        having: [{ expression: "? > ?", parameters: [shipping, 0] }],
        order: [ref("O", "cust", { order: "desc" })],
      },
      [
        [text("y"), 4, 20],
        [text("x"), 4, 60],
      ],
    );
    await answersAre(
      {
        dimensions: [cust],
        measures: [qty],
        order: [{ ...qty, order: "desc" }],
        limit: { by: 1, offset: 1 },
        having: [{ expression: "? >= ?", parameters: [shipping, 0] }],
      },
      [[text("y"), 5]],
    );
  });

  test("two datasets with several rows for one row of a third are measured side by side", async () => {
    await answersAre({ dimensions: [cust], measures: [sum("P", "eur"), qty, shipping] }, [
      [text("x"), 40, 10, 40],
      [text("y"), null, 5, 20],
      [text("z"), null, null, null],
      [null, null, 300, null],
    ]);
  });

  test("a measure that its dimensions or filters cannot reach fails with 400 and the way out", async () => {
    const [host] = await openHosts();
    const refused = async (query: object) => {
      const { status, message } = await refusal(host!.sendQuery(query));
      return `${status} ${message}`;
    };
    const why =
      "several rows of each of P, L match the same row of a dataset between them, so their rows cannot be combined. Group and filter by columns of the datasets between them, or send one query for each of P, L";
    assert.match(
      await refused({ dimensions: [ref("P", "card")], measures: [qty] }),
      `400 the datasets of the query cannot be joined: measures of dataset L cannot be grouped or filtered by columns of P; ${why}`,
    );
    assert.match(await refused({ dimensions: [ref("P", "card"), ref("L", "product")] }), why);
  });

  test("a row that is linked by two columns counts once per group, and plain rows stay as they are", async () => {
    const stock: JoinedDataset = {
      id: "S",
      columns: [
        { id: "part", type: "hierarchy" },
        { id: "supplier", type: "numeric" },
        { id: "pieces", type: "numeric" },
      ],
      rows: [
        ["a", 1, 10],
        ["a", 2, 10],
        ["b", 1, 10],
        ["c", 1, 7],
      ],
    };
    const sold: JoinedDataset = {
      id: "T",
      columns: [
        { id: "soldpart", type: "hierarchy" },
        { id: "soldby", type: "numeric" },
        { id: "month", type: "numeric" },
      ],
      rows: [
        ["a", 1, 1],
        ["a", 1, 1],
        ["a", 2, 1],
        ["b", 1, 1],
        ["a", 1, 2],
        ["b", null, 2],
      ],
    };
    const host = await createJoinedHost({
      datasets: [stock, sold],
      links: [
        ["soldpart", "part"],
        ["soldby", "supplier"],
      ],
    });
    const pieces = sum("S", "pieces");
    const { data, warnings } = await host.sendQuery({
      dimensions: [ref("T", "month")],
      measures: [pieces],
    });
    assert.equal(data, [
      [1, 30],
      [2, 10],
    ]);
    assert.match(warnings?.join() ?? "", /^1 of 4 rows of dataset S match no row of dataset T/);
    const rows = await host.sendQuery({
      dimensions: [ref("T", "month")],
      measures: [pieces],
      options: { rollup_data: false },
    });
    assert.equal(rows.data, [
      [1, 10],
      [1, 10],
      [1, 10],
      [1, 10],
      [2, 10],
      [2, null],
    ]);
  });
});

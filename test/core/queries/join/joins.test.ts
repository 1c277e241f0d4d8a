import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/contracts/index.ts";
import { PluginError, type Cell, type Plugin } from "../../../../plugins/protocol/index.ts";
import {
  createJoinedHost,
  type JoinedHost,
  type JoinedDataset,
} from "../../../support/joinedHost.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const sales: JoinedDataset = {
  id: "S",
  columns: [
    { id: "product", type: "hierarchy" },
    { id: "shop", type: "numeric" },
    { id: "eur", type: "numeric" },
  ],
  rows: [
    ["p1", 1, 10],
    ["p1", 2, 20],
    ["p2", 1, 40],
    ["p9", 1, 80],
    [null, 2, 160],
    ["p2", null, 320],
  ],
};
const products: JoinedDataset = {
  id: "P",
  columns: [
    { id: "sku", type: "hierarchy" },
    { id: "label", type: "hierarchy" },
    { id: "group", type: "hierarchy" },
    { id: "known", type: "hierarchy", expression: "coalesce({P:label}, 'none')" },
  ],
  rows: [
    ["p1", "Žilina", "g1"],
    ["p2", null, "g2"],
    ["p3", "unsold", "g1"],
    [null, "keyless", "g1"],
  ],
};
const groups: JoinedDataset = {
  id: "G",
  columns: [
    { id: "code", type: "hierarchy" },
    { id: "tax", type: "numeric" },
  ],
  rows: [
    ["g1", 0.5],
    ["g2", 2],
  ],
};
const shops: JoinedDataset = {
  id: "H",
  columns: [
    { id: "number", type: "numeric" },
    { id: "city", type: "hierarchy" },
  ],
  rows: [
    [1, "Ghent"],
    [2, "Lille"],
  ],
};
const datasets = [sales, products, groups, shops];
const links = [
  ["product", "sku"],
  ["code", "group"],
  ["shop", "number"],
] as const;
const ref = (dataset_id: string, column_id: string, more: object = {}) => ({
  dataset_id,
  column_id,
  ...more,
});
const eur = ref("S", "eur");
const text = (id: string) => ({ id, name: { en: id } });

/** One host for each way in which datasets can lie. */
const hosts = async (): Promise<readonly (readonly [string, JoinedHost])[]> => {
  const one = createPlainPlugin(everyCapability);
  const scratch = createPlainPlugin();
  const made = {
    "one plugin that joins": { plugins: { S: one, P: one, G: one, H: one } },
    "a plugin each": {},
    "basic plugins": {
      plugins: Object.fromEntries(datasets.map(({ id }) => [id, createPlainPlugin({})])),
    },
    "all in scratch": { plugins: { S: scratch, P: scratch, G: scratch, H: scratch }, scratch },
    "the facts in scratch": { plugins: { S: scratch }, scratch },
    "the rest in scratch": { plugins: { P: scratch, G: scratch, H: scratch }, scratch },
  };
  return Promise.all(
    Object.entries(made).map(async ([name, options]) => {
      const given: { plugins?: Readonly<Record<string, Plugin>>; scratch?: Plugin } = options;
      return [name, await createJoinedHost({ datasets, links, ...given })] as const;
    }),
  );
};

const filterOn = (
  securable_id: string,
  column_id: string,
  expression: string,
  value?: unknown,
): RowFilter => ({
  clause: "where",
  origin: "global",
  securable_id,
  column_id,
  expression,
  ...(value !== undefined && { value }),
});

async function answersAre(query: object, expected: unknown, filters: readonly RowFilter[] = []) {
  for (const [name, host] of await hosts())
    assert.equal((await host.ask(query, embedOf({ filters }))).data, expected, name);
}

/** What is wrong with a question of several datasets: code, status and message. */
async function refusedBy(host: JoinedHost, query: object, principal = principalOf("ada")) {
  const { code, status, message } = await refusal(host.ask(query, principal));
  return `${status} ${code} ${message}`;
}

suite("core/queries/join/joins", (test) => {
  test("facts meet the one row of each dimension, and keep null without one", async () => {
    await answersAre({ dimensions: [ref("P", "label")], measures: [eur] }, [
      [text("Žilina"), 30],
      [null, 600],
    ]);
    await answersAre(
      {
        dimensions: [ref("G", "code"), ref("H", "city")],
        measures: [eur, ref("G", "tax")],
      },
      [
        [text("g1"), text("Ghent"), 10, 0.5],
        [text("g1"), text("Lille"), 20, 0.5],
        [text("g2"), text("Ghent"), 40, 2],
        [text("g2"), null, 320, 2],
        [null, text("Ghent"), 80, null],
        [null, text("Lille"), 160, null],
      ],
    );
  });

  test("the rows are those of the finest dataset, named or not, and * counts them whatever dataset it names", async () => {
    const rows = { aggregation: { type: "count" } };
    await answersAre(
      { dimensions: [ref("H", "city")], measures: [ref("P", "*", rows), ref("S", "*", rows)] },
      [
        [text("Ghent"), 3, 3],
        [text("Lille"), 2, 2],
        [null, 1, 1],
      ],
    );
    await answersAre({ dimensions: [ref("H", "city"), ref("G", "tax")] }, [
      [text("Ghent"), 0.5],
      [text("Ghent"), 2],
      [text("Ghent"), null],
      [text("Lille"), 0.5],
      [text("Lille"), null],
      [null, 2],
    ]);
    // The rows of products, since nothing of the facts is named or lies between.
    await answersAre({ dimensions: [ref("G", "tax")], measures: [ref("P", "*", rows)] }, [
      [0.5, 3],
      [2, 1],
    ]);
  });

  test("where rows meet one to one they are those of the first measure's dataset, else of the first that is named", async () => {
    const one: JoinedDataset = {
      id: "X",
      columns: [
        { id: "xid", type: "numeric" },
        { id: "x", type: "numeric" },
      ],
      rows: [
        [1, 10],
        [2, 20],
      ],
    };
    const other: JoinedDataset = {
      id: "Y",
      columns: [
        { id: "yid", type: "numeric" },
        { id: "y", type: "numeric" },
      ],
      rows: [
        [2, 200],
        [3, 300],
      ],
    };
    const host = await createJoinedHost({ datasets: [one, other], links: [["xid", "yid"]] });
    const of = async (query: object) => (await host.ask(query)).data;
    const [x, y] = [ref("X", "x"), ref("Y", "y")];
    assert.equal(await of({ dimensions: [x, y] }), [
      [10, null],
      [20, 200],
    ]);
    assert.equal(await of({ dimensions: [y, x] }), [
      [200, 20],
      [300, null],
    ]);
    assert.equal(await of({ dimensions: [x], measures: [y] }), [
      [20, 200],
      [null, 300],
    ]);
  });

  test("where rows meet one to one, the dataset of a weight counts as one that a measure names (answers 6)", async () => {
    const numbers = (id: string, names: readonly string[], rows: JoinedDataset["rows"]) => ({
      id,
      columns: names.map((name) => ({ id: name, type: "numeric" as const })),
      rows,
    });
    const host = await createJoinedHost({
      datasets: [
        numbers("X", ["xid", "x"], [[1, 10]]),
        numbers(
          "Y",
          ["yid", "yx", "y"],
          [
            [1, 1, 100],
            [2, 1, 200],
          ],
        ),
        numbers(
          "Z",
          ["zid", "z"],
          [
            [2, 5],
            [3, 7],
          ],
        ),
      ],
      links: [
        ["yx", "xid"],
        ["yid", "zid"],
      ],
    });
    const aggregation = { type: "weightedaverage", dataset_id: "Z", column_id: "z" };
    const weighted = ref("X", "x", { aggregation });
    // The rows of Z, of which one meets no row of Y.
    const { data } = await host.ask({ dimensions: [ref("Y", "y")], measures: [weighted] });
    assert.equal(data, [
      [200, 10],
      [null, null],
    ]);
  });

  test("derived columns of a joined dataset are null where there is no row of it, expressions of the query see the null", async () => {
    await answersAre({ dimensions: [ref("P", "known")], measures: [eur] }, [
      [text("none"), 360],
      [text("Žilina"), 30],
      [null, 240],
    ]);
    await answersAre(
      {
        dimensions: [{ expression: "coalesce({H:city}, {P:label}, 'nowhere')" }],
        measures: [{ formula: "SUM({S:eur} * {G:tax}) / COUNTR()" }],
      },
      [
        [text("Ghent"), 85 / 3],
        [text("Lille"), 5],
        [text("nowhere"), 640],
      ],
    );
  });

  test("tests, weights, having and order take columns of every dataset", async () => {
    await answersAre(
      {
        dimensions: [ref("H", "city")],
        measures: [
          ref("S", "eur", {
            aggregation: { type: "weightedaverage", dataset_id: "G", column_id: "tax" },
          }),
        ],
        where: [
          {
            or: [
              { expression: "? = ?", parameters: [ref("G", "code"), "g2"] },
              { expression: "? is null", parameters: [ref("P", "sku")] },
            ],
          },
        ],
        having: [
          { expression: "? >= ?", parameters: [ref("G", "tax", { aggregation: "max" }), 2] },
        ],
        order: [{ ...ref("H", "city"), order: "desc" }],
      },
      [
        [text("Ghent"), 40],
        [null, 320],
      ],
    );
  });

  test("a dimension that is complete has the values of its own dataset", async () => {
    await answersAre(
      { dimensions: [ref("P", "sku", { include_nonoccurring: true })], measures: [eur] },
      [
        [text("p1"), 30],
        [text("p2"), 360],
        [text("p3"), null],
        [null, 240],
      ],
    );
  });

  test("bins that are counted lie over the joined rows, the last value of a column is that of its own dataset", async () => {
    const days: JoinedDataset = {
      id: "T",
      columns: [
        { id: "tid", type: "numeric" },
        { id: "at", type: "datetime" },
        { id: "size", type: "numeric" },
      ],
      rows: [
        [1, "2024-01-01T00:00:00.000Z", 10],
        [2, "2024-03-01T00:00:00.000Z", 1000],
      ],
    };
    const host = await createJoinedHost({
      datasets: [
        {
          ...sales,
          rows: [
            ["p1", 1, 5],
            ["p1", 1, 6],
          ],
        },
        days,
      ],
      links: [["shop", "tid"]],
    });
    const bins = { discretization: { type: "linear", bins: 2 } };
    assert.equal((await host.ask({ dimensions: [ref("T", "size", bins)], measures: [eur] })).data, [
      ["[ 10 - 11 [", 11],
    ]);
    const last = (quantity: number) => ({
      measures: [eur],
      where: [
        {
          expression: "last_available",
          parameters: [ref("T", "at"), { unit: 3, quantity }],
        },
      ],
    });
    assert.equal((await host.ask(last(1))).data, [[null]]);
    assert.equal((await host.ask(last(3))).data, [[11]]);
  });

  test("filters on the rows of a dataset apply before the join: a hidden row is met by none, as one that does not exist (security S8)", async () => {
    const total = { measures: [eur, ref("G", "tax", { aggregation: "max" })] };
    const cases: readonly [RowFilter, unknown][] = [
      [filterOn("S", "shop", "? = ?", 1), [[130, 2]]],
      [filterOn("P", "sku", "? = ?", "p1"), [[630, 0.5]]],
      [filterOn("P", "sku", "? != ?", "p1"), [[630, 2]]],
      [filterOn("P", "label", "? is null"), [[630, 2]]],
      [filterOn("P", "label", "? is not null"), [[630, 0.5]]],
      [filterOn("P", "known", "? = ?", "none"), [[630, 2]]],
      [filterOn("P", "known", "? != ?", "none"), [[630, 0.5]]],
      [filterOn("G", "tax", "? < ?", 1), [[630, 0.5]]],
      [filterOn("G", "code", "? in ?", []), [[630, null]]],
      [filterOn("S", "product", "? in ?", []), [[null, null]]],
    ];
    for (const [filter, expected] of cases) await answersAre(total, expected, [filter]);
    await answersAre(
      total,
      [[130, 2]],
      [
        filterOn("P", "known", "? = ?", "none"),
        filterOn("G", "code", "? = ?", "g2"),
        filterOn("S", "shop", "? = ?", 1),
      ],
    );
    // What is no part of the query binds nothing in it.
    await answersAre(total, [[630, 2]], [filterOn("H", "city", "? = ?", "nowhere")]);
  });

  test("an answer under a filter on rows is that of datasets without the rows that fail it (security S8)", async () => {
    const query = {
      dimensions: [ref("P", "sku"), ref("G", "code")],
      measures: [eur],
      where: [{ expression: "? != ?", parameters: [ref("P", "sku"), "p2"] }],
    };
    const filters = [
      filterOn("P", "label", "? is not null"),
      filterOn("P", "group", "? != ?", "g9"),
    ];
    const without = await createJoinedHost({
      datasets: [
        sales,
        { ...products, rows: products.rows.filter(([, label]) => label !== null) },
        groups,
        shops,
      ],
      links,
    });
    const { data } = await without.ask(query);
    assert.equal(data, [
      [text("p1"), text("g1"), 30],
      [null, null, 600],
    ]);
    await answersAre(query, data, filters);
  });

  test("hidden rows make no value occur twice, whatever the operator of the filter; without filters it is 400 (security S8)", async () => {
    const tenants: JoinedDataset = {
      id: "P",
      columns: [
        { id: "sku", type: "hierarchy" },
        { id: "tenant", type: "hierarchy" },
      ],
      rows: [
        ["p1", "mine"],
        ["p1", "theirs"],
        ["p2", "mine"],
      ],
    };
    for (const layout of ["S", "SP", "P", ""]) {
      const scratch = createPlainPlugin();
      const plugins = Object.fromEntries([...layout].map((id) => [id, scratch]));
      const host = await createJoinedHost({
        datasets: [sales, tenants],
        links: [["product", "sku"]],
        plugins,
        scratch,
      });
      const query = { dimensions: [ref("P", "sku")], measures: [eur] };
      for (const filter of [
        filterOn("P", "tenant", "? = ?", "mine"),
        filterOn("P", "tenant", "? != ?", "theirs"),
        filterOn("P", "tenant", "? not in ?", ["theirs", null]),
      ])
        assert.equal((await host.ask(query, embedOf({ filters: [filter] }))).data, [
          [text("p1"), 30],
          [text("p2"), 360],
          [null, 240],
        ]);
      const both = embedOf({ filters: [filterOn("P", "tenant", "? in ?", ["mine", "theirs"])] });
      const refused = await refusedBy(host, query, both);
      assert.match(refused, /^400 QUERY_NOT_JOINABLE .*many to many/);
      assert.is(await refusedBy(host, query), refused);
    }
  });

  test("an empty list in a filter gives no rows of its dataset, named or joined, and no refusal (answers bug 4)", async () => {
    const empty = (id: string, column: string) => filterOn(id, column, "? in ?", []);
    const query = { dimensions: [ref("P", "sku")], measures: [eur] };
    await answersAre(query, [[null, 630]], [empty("P", "group")]);
    await answersAre(query, [], [empty("S", "product")]);
    await answersAre(query, [], [empty("S", "product"), empty("P", "group")]);
    const twice: JoinedDataset = { ...products, rows: [...products.rows, ["p1", "x", "g1"]] };
    const host = await createJoinedHost({ datasets: [sales, twice], links });
    const none = embedOf({ filters: [empty("P", "group")] });
    assert.equal((await host.ask(query, none)).data, [[null, 630]]);
  });

  test("the finest rows are those of the data as a whole, whatever rows a caller may see (answers 7)", async () => {
    const one: JoinedDataset = {
      id: "X",
      columns: [
        { id: "xid", type: "numeric" },
        { id: "x", type: "numeric" },
      ],
      rows: [
        [1, 10],
        [1, 11],
        [2, 20],
      ],
    };
    const other: JoinedDataset = {
      id: "Y",
      columns: [
        { id: "yid", type: "numeric" },
        { id: "y", type: "numeric" },
      ],
      rows: [
        [1, 100],
        [2, 200],
        [3, 300],
      ],
    };
    const host = await createJoinedHost({ datasets: [one, other], links: [["xid", "yid"]] });
    // Y is measured first: were each value of X unique, its rows would be the finest, and 300 would count.
    const query = { measures: [ref("Y", "y"), ref("X", "x")] };
    assert.equal((await host.ask(query)).data, [[400, 41]]);
    const filters = [filterOn("X", "x", "? != ?", 11)];
    assert.equal((await host.ask(query, embedOf({ filters }))).data, [[300, 30]]);
  });

  test("where the data as a whole gives no order, the rows of a bound caller decide, and its refusal is of these alone (answers 7)", async () => {
    const pairs = (id: string, rows: readonly (readonly Cell[])[]): JoinedDataset => ({
      id,
      columns: [
        { id: `${id}key`, type: "numeric" },
        { id: `${id}who`, type: "hierarchy" },
        { id: `${id}n`, type: "numeric" },
      ],
      rows,
    });
    const host = await createJoinedHost({
      datasets: [
        pairs("X", [
          [1, "me", 10],
          [1, "me", 11],
          [1, "you", 12],
        ]),
        pairs("Y", [
          [1, "me", 100],
          [1, "you", 200],
          [1, "you", 300],
        ]),
      ],
      links: [["Xkey", "Ykey"]],
    });
    const query = { dimensions: [ref("Y", "Yn")], measures: [ref("X", "Xn")] };
    const as = (who: string) =>
      embedOf({
        filters: [filterOn("X", "Xwho", "? = ?", who), filterOn("Y", "Ywho", "? = ?", who)],
      });
    assert.equal((await host.ask(query, as("me"))).data, [[100, 21]]);
    assert.equal((await host.ask(query, as("you"))).data, [
      [200, 12],
      [300, 12],
    ]);
    assert.match(await refusedBy(host, query), /^400 QUERY_NOT_JOINABLE .*many to many/);
  });

  test("what is not linked by columns that the caller may name is 400, whatever the reason", async () => {
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const unlinked = await refusedBy(await createJoinedHost({ datasets, links: [] }), query);
    assert.match(unlinked, /^400 QUERY_NOT_JOINABLE .*no columns link P with S.*role Joins/);
    const linked = await createJoinedHost({ datasets, links });
    for (const hidden of ["product", "sku"])
      assert.is(
        await refusedBy(linked, query, embedOf({ hiddenColumns: new Set([hidden]) })),
        unlinked,
        hidden,
      );
    for (const link of [
      ["eur", "label"],
      ["product", "known"],
      ["product", "product"],
    ] as const)
      assert.is(
        await refusedBy(await createJoinedHost({ datasets, links: [link] }), query),
        unlinked,
        String(link),
      );
    const far = { dimensions: [ref("G", "code")], measures: [eur] };
    const noBridge = await refusedBy(linked, far, embedOf({ hiddenColumns: new Set(["group"]) }));
    assert.match(noBridge, /^400 QUERY_NOT_JOINABLE .*no columns link G with S/);
    await linked.records.change("securable", "P", { owner_id: "bob" });
    assert.is(await refusedBy(linked, far), noBridge);
    assert.match(await refusedBy(linked, query), /^404 RECORD_NOT_FOUND/);
  });

  test("several ways are 400, and each is told", async () => {
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const twice = await createJoinedHost({
      datasets,
      links: [
        ["product", "sku"],
        ["product", "label"],
      ],
    });
    const message = await refusedBy(twice, query);
    assert.match(message, /^400 QUERY_NOT_JOINABLE .*several ways/);
    assert.match(message, /column sku .* = column product .*; column label .* = column product /);
    // The same link made from both of its columns is one.
    const both = await createJoinedHost({
      datasets,
      links: [
        ["product", "sku"],
        ["sku", "product"],
      ],
    });
    assert.is((await both.ask(query)).data.length, 2);
    const between = (id: string): JoinedDataset => ({
      id,
      columns: [
        { id: `${id}in`, type: "hierarchy" },
        { id: `${id}out`, type: "hierarchy" },
      ],
      rows: [["p1", "g1"]],
    });
    const diamond = await createJoinedHost({
      datasets: [sales, groups, between("L"), between("R")],
      links: [
        ["product", "Lin"],
        ["product", "Rin"],
        ["Lout", "code"],
        ["Rout", "code"],
      ],
    });
    const across = { dimensions: [ref("G", "tax")], measures: [eur] };
    assert.match(
      await refusedBy(diamond, across),
      /^400 QUERY_NOT_JOINABLE .*several ways lead to .*Lin.*; or .*Rin.*Use a column of the dataset to go through/,
    );
    assert.equal(
      (await diamond.ask({ ...across, dimensions: [ref("G", "tax"), ref("L", "Lin")] })).data,
      [
        [0.5, text("p1"), 30],
        [null, null, 600],
      ],
    );
    const circle = { ...across, dimensions: [ref("G", "tax"), ref("L", "Lin"), ref("R", "Rin")] };
    assert.match(await refusedBy(diamond, circle), /^400 QUERY_NOT_JOINABLE .*several ways: /);
  });

  test("rows that would meet many to many are 400", async () => {
    const stock: JoinedDataset = {
      id: "K",
      columns: [
        { id: "article", type: "hierarchy" },
        { id: "pieces", type: "numeric" },
      ],
      rows: [
        ["p1", 1],
        ["p1", 2],
      ],
    };
    const host = await createJoinedHost({
      datasets: [...datasets, stock],
      links: [...links, ["article", "sku"]],
    });
    assert.match(
      await refusedBy(host, { measures: [eur, ref("K", "pieces")] }),
      /^400 QUERY_NOT_JOINABLE .*several rows of each of S, K match the same row.*one query for each of S, K/,
    );
    const direct = await createJoinedHost({
      datasets: [sales, stock],
      links: [["product", "article"]],
    });
    assert.match(
      await refusedBy(direct, { measures: [eur, ref("K", "pieces")] }),
      /^400 QUERY_NOT_JOINABLE .*column product .* of dataset S and the column article .* of dataset K.*many to many/,
    );
  });

  test("a query names at most 20 datasets, and what an expression names must be there", async () => {
    const many = Array.from({ length: 21 }, (_, index): JoinedDataset => ({
      id: `N${index}`,
      columns: [{ id: `n${index}`, type: "numeric" }],
      rows: [[1]],
    }));
    const host = await createJoinedHost({ datasets: many, links: [] });
    const dimensions = many.map(({ id }, index) => ref(id, `n${index}`));
    assert.match(await refusedBy(host, { dimensions }), /^400 QUERY_NOT_JOINABLE .*at most 20/);
    for (const unknown of ["{N0:n0} + {Z:z}", "{N0:n0} + {N1:zz}"])
      assert.match(
        await refusedBy(await createJoinedHost({ datasets: many, links: [["n0", "n1"]] }), {
          dimensions: [{ expression: unknown }],
        }),
        /^400 MEMBER_INVALID .*dimensions\[0\]\.expression.*line 1, column 11/,
      );
  });

  test("the search for datasets between others ends after 200", async () => {
    const chain = Array.from({ length: 202 }, (_, index): JoinedDataset => ({
      id: `N${index}`,
      columns: [{ id: `n${index}`, type: "numeric" }],
      rows: [[1]],
    }));
    const host = await createJoinedHost({
      datasets: chain,
      links: chain.slice(1).map((_, index) => [`n${index}`, `n${index + 1}`] as const),
    });
    const to = (index: number) => ({
      dimensions: [ref("N0", "n0"), ref(`N${index}`, `n${index}`)],
    });
    assert.equal((await host.ask(to(12))).data, [[1, 1]]);
    assert.match(
      await refusedBy(host, to(201)),
      /^400 QUERY_NOT_JOINABLE .*no columns link N0 with N201/,
    );
  });

  test("one plugin that joins is asked the whole query; it is not moved from where it lies", async () => {
    const query = {
      dimensions: [ref("P", "label")],
      measures: [eur],
      where: [{ expression: "? = ?", parameters: [ref("P", "label"), "Žilina"] }],
    };
    const one = createPlainPlugin(everyCapability);
    const scratch = createPlainPlugin();
    const options = { datasets, links, scratch };
    await (await createJoinedHost({ ...options, plugins: { S: one, P: one } })).ask(query);
    const asked = one.asked.at(-1);
    assert.is(asked?.id, "sheet.S");
    assert.equal(asked?.joins, [
      {
        id: "sheet.P",
        left: "source.product",
        right: "source.sku",
        columns: [{ id: "joined.0.source.label", column_id: "source.label", type: "hierarchy" }],
      },
    ]);
    assert.is(scratch.asked.length, 0);
    const here = createJoinedHost({ ...options, plugins: { S: scratch, P: scratch } });
    await (await here).ask(query);
    assert.is(scratch.asked.at(-1)?.id, "sheet.S");
    assert.is(scratch.asked.at(-1)?.joins?.[0]?.id, "sheet.P");
  });

  test("rows of different plugins are sent as few as may be: the columns that are needed, filters where they change nothing", async () => {
    const [facts, rest, scratch] = [createPlainPlugin(), createPlainPlugin(), createPlainPlugin()];
    const host = await createJoinedHost({
      datasets,
      links,
      plugins: { S: facts, P: rest },
      scratch,
    });
    const test = (id: string, column: string, expression: string, value?: unknown) => ({
      expression,
      parameters: value === undefined ? [ref(id, column)] : [ref(id, column), value],
    });
    await host.ask({
      dimensions: [ref("P", "label")],
      measures: [eur],
      where: [
        test("S", "shop", "? != ?", 7),
        test("P", "group", "? = ?", "g1"),
        test("P", "label", "? != ?", "x"),
        { or: [test("P", "label", "? is null"), test("P", "sku", "? = ?", "p1")] },
        { or: [test("P", "label", "? = ?", "Žilina"), test("S", "eur", "? > ?", 1)] },
      ],
    });
    assert.equal(facts.asked.at(-1), {
      id: "sheet.S",
      columns: ["product", "shop", "eur"].map((id) => ({ column_id: `source.${id}` })),
      filters: [{ column_id: "source.shop", expression: "!=", value: [7] }],
      options: { pushdown: false, query_timeout: 120_000 },
    });
    assert.equal(rest.asked.at(-1)?.filters, [
      { column_id: "source.group", expression: "=", value: ["g1"] },
    ]);
    const last = scratch.asked.at(-1);
    assert.match(last?.id ?? "", /^residual-/);
    assert.is(last?.filters.length, 5);
    assert.match(last?.joins?.[0]?.id ?? "", /^residual-/);
    assert.equal(await scratch.datasets({} as never), []);
  });

  test("a plugin without joins is told what its other datasets are asked", async () => {
    const plain = createPlainPlugin({ ...everyCapability, joins: false });
    const told: unknown[] = [];
    const plugin: Plugin = {
      ...plain,
      query(call) {
        told.push([call.query.id, call.alongside]);
        return plain.query(call);
      },
    };
    const host = await createJoinedHost({ datasets, links, plugins: { S: plugin, P: plugin } });
    const group = { expression: "? = ?", parameters: [ref("P", "group"), "g1"] };
    assert.equal((await host.ask({ measures: [eur], where: [group] })).data, [[30]]);
    const isRows = (each: unknown) => JSON.stringify(each).includes("source.group");
    assert.equal(
      told.filter(isRows).map((each) => (each as [string])[0]),
      ["sheet.S"],
    );
    const [, alongside] = told.find(isRows) as [string, { id: string; filters: unknown }[]];
    assert.equal(
      alongside.map(({ id, filters }) => [id, filters]),
      [["sheet.P", [{ column_id: "source.group", expression: "=", value: ["g1"] }]]],
    );
  });

  test("a basic plugin is told the filters of its other datasets, which the host tests (contract A7)", async () => {
    const plain = createPlainPlugin({});
    const told: (readonly [string, unknown, unknown])[] = [];
    const plugin: Plugin = {
      ...plain,
      query(call) {
        told.push([
          call.query.id,
          call.hints,
          call.alongside?.map(({ id, filters }) => [id, filters]),
        ]);
        return plain.query(call);
      },
    };
    const host = await createJoinedHost({ datasets, links, plugins: { S: plugin, P: plugin } });
    const group = { expression: "? = ?", parameters: [ref("P", "group"), "g1"] };
    assert.equal((await host.ask({ measures: [eur], where: [group] })).data, [[30]]);
    const hints = [{ column_id: "source.group", expression: "=", value: ["g1"] }];
    const ofRows = told.filter(([, own, others]) => own !== undefined || others !== undefined);
    assert.equal(
      new Map(ofRows.map(([id, ...rest]) => [id, rest])),
      new Map([
        ["sheet.P", [hints, undefined]],
        ["sheet.S", [undefined, [["sheet.P", hints]]]],
      ]),
    );
  });

  test("answers are kept, probes too, each for those who may see the same rows of every dataset", async () => {
    const plugins = Object.fromEntries(datasets.map(({ id }) => [id, createPlainPlugin()]));
    const host = await createJoinedHost({ datasets, links, plugins, cacheS: 60 });
    const askedCount = () =>
      Object.values(plugins).reduce((sum, { asked }) => sum + asked.length, 0);
    const query = { dimensions: [ref("P", "label")], measures: [eur] };
    const filters = [filterOn("P", "sku", "? = ?", "p2")];
    const all = [
      [text("Žilina"), 30],
      [null, 600],
    ];
    const some = [[null, 630]];
    assert.equal((await host.ask(query)).data, all);
    const before = askedCount();
    const again = await host.ask(query);
    assert.equal([again.data, again.cached, askedCount()], [all, true, before]);
    const narrowed = await host.ask(query, embedOf({ filters }));
    assert.equal([narrowed.data, narrowed.cached], [some, false]);
    assert.equal((await host.ask(query)).data, all);
    const other = await host.ask({ ...query, limit: { by: 1 } });
    assert.equal([other.data, other.cached], [[[text("Žilina"), 30]], false]);
  });

  test("an explanation tells where rows were joined, why not by the plugin, and what each dataset was asked", async () => {
    const explained = async (plugins: Readonly<Record<string, Plugin>>) => {
      const host = await createJoinedHost({ datasets, links, plugins });
      const where = [
        { expression: "? = ?", parameters: [ref("P", "group"), "g1"] },
        { expression: "? != ?", parameters: [ref("P", "label"), "x"] },
      ];
      const answer = (await host.explain({ measures: [eur], where })) as {
        explain: {
          mode: string;
          steps: readonly { clause: string; pushed: boolean; reason?: string }[];
          parts: readonly { dataset_id: string | null; clauses: readonly string[] }[];
          probes: readonly unknown[];
        };
      };
      const { mode, steps, parts, probes } = answer.explain;
      assert.is(probes.length, 2);
      return {
        mode,
        reasons: steps.slice(0, 3).map(({ reason }) => reason),
        parts: parts
          .map(({ dataset_id, clauses }) => [dataset_id, ...clauses].join(" "))
          .toSorted(),
      };
    };
    const one = createPlainPlugin(everyCapability);
    assert.equal(await explained({ S: one, P: one }), {
      mode: "whole",
      reasons: [undefined, undefined, undefined],
      parts: ["S joins filters grouping limit"],
    });
    assert.equal(await explained({}), {
      mode: "joined",
      reasons: [
        "the plugin does not promise joins with datasets of other connections",
        undefined,
        "1 of 2 are tested where the rows have been joined",
      ],
      parts: [" joins filters grouping limit", "P filters", "S"],
    });
  });

  test("the reason why a plugin does not join says nothing of a filter on a hidden column", async () => {
    const { like: _, ...operators } = everyCapability.filters?.operators ?? {};
    const one = createPlainPlugin({
      ...everyCapability,
      filters: { ...everyCapability.filters, operators },
    });
    const host = await createJoinedHost({ datasets, links, plugins: { S: one, P: one } });
    const filters = [filterOn("P", "label", "? like ?", "l")];
    const reasonFor = async (hidden: readonly string[]) => {
      const asked = { dimensions: [ref("P", "group")], measures: [eur] };
      const principal = embedOf({ filters, hiddenColumns: new Set(hidden) });
      const { explain } = (await host.explain(asked, principal)) as {
        explain: { steps: readonly { clause: string; reason?: string }[] };
      };
      return explain.steps.find(({ clause }) => clause === "joins")?.reason ?? "";
    };
    assert.match(await reasonFor([]), /like on hierarchy columns in the filters of a joined/);
    assert.is(await reasonFor(["label"]), "the plugin does not promise all of it");
  });

  test("probes that run side by side count once in the figures of the answer", async () => {
    for (const [name, host] of await hosts()) {
      const { performance: taken } = await host.ask({
        dimensions: [ref("G", "code"), ref("H", "city")],
        measures: [eur],
      });
      for (const [phase, value] of Object.entries(taken)) assert.ok(value >= 0, `${name} ${phase}`);
      assert.ok(taken.querying > 0, name);
    }
  });

  test("the temporary datasets are gone after a failure, of scratch too", async () => {
    const failing = (failsAt: (asked: number) => boolean) => {
      const plugin = createPlainPlugin();
      let asked = 0;
      return {
        ...plugin,
        datasets: plugin.datasets,
        query: (call: Parameters<Plugin["query"]>[0]) => {
          if (call.query.joins && failsAt(++asked))
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["it broke"]);
          return plugin.query(call);
        },
        write: (call: Parameters<NonNullable<Plugin["write"]>>[0]) => {
          const { write } = call;
          if (write.action === "append" && write.rows.columnIds.includes("source.sku"))
            throw new PluginError("PLUGIN_SOURCE_FAILED", ["it is full"]);
          return plugin.write!(call);
        },
      };
    };
    const query = { dimensions: [ref("H", "city")], measures: [eur] };
    const broken = failing(() => true);
    const host = await createJoinedHost({ datasets, links, scratch: broken });
    assert.match(await refusedBy(host, query), /PLUGIN_SOURCE_FAILED .*it broke/);
    assert.equal(await broken.datasets({} as never), []);
    const full = { dimensions: [ref("P", "label")], measures: [eur] };
    assert.match(await refusedBy(host, full), /PLUGIN_SOURCE_FAILED .*it is full/);
    assert.equal(await broken.datasets({} as never), []);
  });

  test("a plugin that offers less than it promises is asked again for plain rows", async () => {
    for (const promised of [everyCapability, { ...everyCapability, joins: false }]) {
      const plugin = createPlainPlugin(promised);
      const shy: Plugin = {
        ...plugin,
        query: async (call) => {
          if (call.query.joins || call.query.filters.length > 0)
            throw new PluginError("PLUGIN_NOT_OFFERED", ["that"]);
          return plugin.query(call);
        },
      };
      const host = await createJoinedHost({ datasets, links, plugins: { S: shy, P: shy } });
      const answer = await host.ask({
        measures: [eur],
        where: [
          { expression: "? = ?", parameters: [ref("P", "label"), "Žilina"] },
          { expression: "? = ?", parameters: [ref("S", "shop"), 2] },
        ],
      });
      assert.equal(answer.data, [[20]]);
    }
  });
});

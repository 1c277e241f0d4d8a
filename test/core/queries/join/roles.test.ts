import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { createPlainPlugin, everyCapability } from "../../../support/plainPlugin.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";
import { filterOn, ref, refusedBy, text } from "./joinedSales.ts";

const trips: JoinedDataset = {
  id: "T",
  columns: [
    { id: "from", type: "hierarchy" },
    { id: "to", type: "hierarchy" },
    { id: "km", type: "numeric" },
  ],
  rows: [
    ["g", "l", 1],
    ["l", "g", 2],
    ["g", "b", 4],
    ["b", null, 8],
  ],
};
const cities: JoinedDataset = {
  id: "C",
  columns: [
    { id: "code", type: "hierarchy" },
    { id: "name", type: "hierarchy" },
    { id: "land", type: "hierarchy" },
    { id: "shout", type: "hierarchy", expression: "upper({C:name})" },
  ],
  rows: [
    ["g", "Ghent", "be"],
    ["l", "Lille", "fr"],
    ["b", "Bruges", "be"],
  ],
};
const lands: JoinedDataset = {
  id: "L",
  columns: [
    { id: "iso", type: "hierarchy" },
    { id: "tax", type: "numeric" },
  ],
  rows: [
    ["be", 21],
    ["fr", 20],
  ],
};
const datasets = [trips, cities, lands];
const links = [
  ["from", "code"],
  ["code", "to"],
  ["land", "iso"],
] as const;
const km = ref("T", "km");
const start = (more: object = {}) => ref("C", "name", { via: "from", ...more });
const end = (more: object = {}) => ref("C", "name", { via: "to", ...more });

/** Returns hosts whose datasets are in one plugin that joins, and in a plugin each. */
const hosts = async () => {
  const one = createPlainPlugin(everyCapability);
  const plugins = { T: one, C: one, L: one };
  return [
    await createJoinedHost({ datasets, links, plugins }),
    await createJoinedHost({ datasets, links }),
  ];
};

suite("core/queries/join/roles", (test) => {
  test("`via` names the linked column that leads to a dataset, so a query can read the dataset in several roles", async () => {
    for (const host of await hosts()) {
      const { data } = await host.sendQuery({ dimensions: [start(), end()], measures: [km] });
      assert.equal(data, [
        [text("Bruges"), null, 8],
        [text("Ghent"), text("Bruges"), 4],
        [text("Ghent"), text("Lille"), 1],
        [text("Lille"), text("Ghent"), 2],
      ]);
    }
  });

  test("filters, order, having, stored expressions, inline expressions and formulas name a role", async () => {
    for (const host of await hosts()) {
      const { data } = await host.sendQuery({
        dimensions: [
          ref("C", "shout", { via: "to" }),
          { expression: "concat({C via from:name}, '>', {C via to:name})", column_id: "way" },
        ],
        measures: [{ formula: "sum(if({C via from:land} = 'be', {T:km}))" }],
        where: [
          { expression: "? != ?", parameters: [start(), end()] },
          { expression: "? is not null", parameters: [end()] },
        ],
        having: [{ expression: "? > ?", parameters: [ref("T", "km", { aggregation: "sum" }), 0] }],
        order: [ref("C", "shout", { via: "to", order: "desc" })],
      });
      assert.equal(data, [
        [text("LILLE"), text("Ghent>Lille"), 1],
        [text("GHENT"), text("Lille>Ghent"), null],
        [text("BRUGES"), text("Ghent>Bruges"), 4],
      ]);
    }
  });

  test("a role continues along the links of its dataset", async () => {
    for (const host of await hosts()) {
      const { data } = await host.sendQuery({
        dimensions: [ref("L", "tax", { via: "from" }), ref("L", "tax", { via: "to" })],
        measures: [km],
      });
      assert.equal(data, [
        [20, 21, 2],
        [21, 20, 1],
        [21, 21, 4],
        [21, null, 8],
      ]);
    }
  });

  test("the row filters of a dataset apply in each of its roles", async () => {
    const filters = [filterOn("C", "name", "? != ?", "Ghent")];
    for (const host of await hosts()) {
      const query = { dimensions: [start(), end()], measures: [km] };
      assert.equal((await host.sendQuery(query, embedOf({ filters }))).data, [
        [text("Bruges"), null, 8],
        [text("Lille"), null, 2],
        [null, text("Bruges"), 4],
        [null, text("Lille"), 1],
      ]);
    }
  });

  test("without `via`, the error names a column for it; a wrong column and an unselected role are refused", async () => {
    const [host] = await hosts();
    assert.ok(host);
    const ways = await refusedBy(host, { dimensions: [ref("C", "name")], measures: [km] });
    assert.match(ways, /^400 QUERY_NOT_JOINABLE .*several ways/);
    assert.match(ways, /in via, such as \{"dataset_id":"C","via":"(from|to)"\}/);
    const far = await refusedBy(host, { dimensions: [ref("L", "tax")], measures: [km] });
    assert.match(far, /in via, such as \{"dataset_id":"L","via":"(from|to)"\}/);
    assert.match(
      await refusedBy(host, { dimensions: [ref("C", "name", { via: "km" })], measures: [km] }),
      /^400 QUERY_NOT_JOINABLE .*no columns link/,
    );
    assert.match(
      await refusedBy(host, { dimensions: [start()], measures: [km], order: [end()] }),
      /^400 MEMBER_INVALID .*order\[0\]/,
    );
    assert.match(
      await refusedBy(host, {
        dimensions: [{ expression: "{C:name}", via: "from" }],
        measures: [km],
      }),
      /^400 MEMBER_MISSING .*dimensions\[0\]\.dataset_id/,
    );
  });
});

suite("core/queries/join/compositeKeys", (test) => {
  const parts = (rows: readonly (readonly Cell[])[]): readonly JoinedDataset[] => [
    {
      id: "F",
      columns: [
        { id: "part", type: "numeric" },
        { id: "plant", type: "hierarchy" },
        { id: "made", type: "numeric" },
      ],
      rows: [
        [1, "a", 1],
        [1, "b", 2],
        [2, "a", 4],
        [2, "b", 8],
        [null, "a", 16],
        [1, null, 32],
        [1, "a", 64],
      ],
    },
    {
      id: "K",
      columns: [
        { id: "kpart", type: "numeric" },
        { id: "kplant", type: "hierarchy" },
        { id: "cost", type: "numeric" },
      ],
      rows,
    },
  ];
  const unique: readonly (readonly Cell[])[] = [
    [1, "a", 10],
    [1, "b", 20],
    [2, "a", 30],
    [null, "a", 40],
    [null, "a", 50],
    [2, null, 60],
  ];
  const keyLinks = [
    ["part", "kpart"],
    ["kplant", "plant"],
  ] as const;
  const query = { dimensions: [ref("K", "cost")], measures: [ref("F", "made")] };
  const expected = [
    [10, 65],
    [20, 2],
    [30, 4],
    [null, 56],
  ];

  test("two links between two datasets form one key, in a plugin that joins by it and in scratch", async () => {
    const capable = createPlainPlugin(everyCapability);
    const older = createPlainPlugin({ ...everyCapability, compositeJoins: false });
    for (const plugins of [{ F: capable, K: capable }, { F: older, K: older }, {}]) {
      const host = await createJoinedHost({ datasets: parts(unique), links: keyLinks, plugins });
      assert.equal((await host.sendQuery(query)).data, expected);
    }
    const isComposite = ({ joins = [] }: { joins?: readonly { and?: unknown }[] }) =>
      joins.some(({ and }) => and);
    assert.ok(capable.requested.some(isComposite));
    assert.not(older.requested.some(isComposite));
  });

  test("a key of two columns may repeat values of each column, but not of both", async () => {
    const rows = [...unique, [2, "a", 70]];
    const host = await createJoinedHost({ datasets: parts(rows), links: keyLinks });
    assert.match(
      await refusedBy(host, query),
      /^400 QUERY_NOT_JOINABLE .*values are repeated in both the columns .*part .*plant .*many to many/,
    );
  });
});

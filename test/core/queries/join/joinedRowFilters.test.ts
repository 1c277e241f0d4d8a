import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/base/contracts/index.ts";
import { type Cell } from "../../../../plugins/protocol/index.ts";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { embedOf } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

import {
  sales,
  numbers,
  products,
  groups,
  shops,
  links,
  ref,
  eur,
  text,
  filterOn,
  answersAre,
  refusedBy,
} from "./joinedSales.ts";

suite("core/queries/join/joinedRowFilters", (test) => {
  test("row filters apply before the join, so a hidden row matches nothing", async () => {
    // The measure reads both datasets, so it is computed over the joined rows of S.
    const tax = { expression: "if({S:eur} is null, {G:tax}, {G:tax})", aggregation: "max" };
    const total = { measures: [eur, tax] };
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
    // The row filter of a dataset that the query does not use has no effect.
    await answersAre(total, [[630, 2]], [filterOn("H", "city", "? = ?", "nowhere")]);
  });

  test("an answer under row filters equals the answer over a dataset with only the visible rows", async () => {
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
    const { data } = await without.sendQuery(query);
    assert.equal(data, [
      [text("p1"), text("g1"), 30],
      [null, null, 600],
    ]);
    await answersAre(query, data, filters);
  });

  test("duplicate keys do not break a join in hidden rows, but fail with 400 in visible rows", async () => {
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
        assert.equal((await host.sendQuery(query, embedOf({ filters: [filter] }))).data, [
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

  test("an empty list in a row filter hides all rows of its dataset, but does not fail the query", async () => {
    const empty = (id: string, column: string) => filterOn(id, column, "? in ?", []);
    const query = { dimensions: [ref("P", "sku")], measures: [eur] };
    await answersAre(query, [[null, 630]], [empty("P", "group")]);
    await answersAre(query, [], [empty("S", "product")]);
    await answersAre(query, [], [empty("S", "product"), empty("P", "group")]);
    const twice: JoinedDataset = { ...products, rows: [...products.rows, ["p1", "x", "g1"]] };
    const host = await createJoinedHost({ datasets: [sales, twice], links });
    const none = embedOf({ filters: [empty("P", "group")] });
    assert.equal((await host.sendQuery(query, none)).data, [[null, 630]]);
  });

  test("the finest dataset is determined from all rows, including rows that the caller may not see", async () => {
    const one = numbers(
      "X",
      ["xid", "x"],
      [
        [1, 10],
        [1, 11],
        [2, 20],
      ],
    );
    const other = numbers(
      "Y",
      ["yid", "y"],
      [
        [1, 100],
        [2, 200],
        [3, 300],
      ],
    );
    const host = await createJoinedHost({ datasets: [one, other], links: [["xid", "yid"]] });
    // If every value of X were unique, the first measure would have the rows of Y, and its sum would be 300.
    const ofBoth = { expression: "if({X:x} is null, {Y:y}, {Y:y})", aggregation: "sum" };
    const query = { measures: [ofBoth, ref("X", "x")] };
    assert.equal((await host.sendQuery(query)).data, [[400, 41]]);
    const filters = [filterOn("X", "x", "? != ?", 11)];
    assert.equal((await host.sendQuery(query, embedOf({ filters }))).data, [[300, 30]]);
  });

  test("if all rows together allow no join, the visible rows decide, and an error reveals nothing about hidden rows", async () => {
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
    assert.equal((await host.sendQuery(query, as("me"))).data, [[100, 21]]);
    assert.equal((await host.sendQuery(query, as("you"))).data, [
      [200, 12],
      [300, 12],
    ]);
    assert.match(await refusedBy(host, query), /^400 QUERY_NOT_JOINABLE .*many to many/);
  });
});

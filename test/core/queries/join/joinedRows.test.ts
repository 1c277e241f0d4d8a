import * as assert from "uvu/assert";
import { createJoinedHost, type JoinedDataset } from "../../../support/joinedHost.ts";
import { suite } from "../../../support/suite.ts";

import { sales, numbers, ref, eur, text, answersAre } from "./joinedSales.ts";

suite("core/queries/join/joinedRows", (test) => {
  test("a fact is joined with at most one row of each dimension, and with nulls if no row matches", async () => {
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

  test("a join has the rows of its finest dataset, and a count of * counts these rows, whichever dataset it names", async () => {
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
    // The result has the rows of the products, because the query uses no column of the facts, not even for a link.
    await answersAre({ dimensions: [ref("G", "tax")], measures: [ref("P", "*", rows)] }, [
      [0.5, 3],
      [2, 1],
    ]);
  });

  test("a one-to-one join has the rows of the first measured dataset, or otherwise of the first named dataset", async () => {
    const one = numbers(
      "X",
      ["xid", "x"],
      [
        [1, 10],
        [2, 20],
      ],
    );
    const other = numbers(
      "Y",
      ["yid", "y"],
      [
        [2, 200],
        [3, 300],
      ],
    );
    const host = await createJoinedHost({ datasets: [one, other], links: [["xid", "yid"]] });
    const of = async (query: object) => (await host.sendQuery(query)).data;
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

  test("in a one-to-one join, a column that is used as a weight counts as measured", async () => {
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
    // The result has the rows of Z. One of them matches no row of Y.
    const { data } = await host.sendQuery({ dimensions: [ref("Y", "y")], measures: [weighted] });
    assert.equal(data, [
      [200, 10],
      [null, null],
    ]);
  });

  test("a row without a match has null in the derived columns of the joined dataset", async () => {
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

  test("filters, weights, `having` and `order` accept columns of every joined dataset", async () => {
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

  test("a complete dimension has all values of its own dataset, even values that match no row of the join", async () => {
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

  test("a requested number of bins covers the joined rows, but `last_available` covers all rows of its column", async () => {
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
    assert.equal(
      (await host.sendQuery({ dimensions: [ref("T", "size", bins)], measures: [eur] })).data,
      [["[ 10 - 11 [", 11]],
    );
    const last = (quantity: number) => ({
      measures: [eur],
      where: [
        {
          expression: "last_available",
          parameters: [ref("T", "at"), { unit: 3, quantity }],
        },
      ],
    });
    assert.equal((await host.sendQuery(last(1))).data, [[null]]);
    assert.equal((await host.sendQuery(last(3))).data, [[11]]);
  });
});

import { globSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import * as assert from "uvu/assert";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { openPeople } from "../../../openPeople.ts";
import {
  drawBoard,
  openBoardShapes,
  type BoardShapes,
  type CallAction,
  type DrawnBoard,
} from "./openBoardShapes.ts";

const root = join(import.meta.dirname, "../../../../..");

/** Files of the project, and public files if they are there. */
const files = [
  ...globSync(join(root, "test/files/{csv,json,xlsx,parquet}/*"), {
    exclude: (each) => /\.(expected|md|ts)$/.test(String(each)),
  }),
  ...globSync(join(root, "../shared/files/{readxl,parquet-testing}/*.{xlsx,parquet}")),
]
  .filter((path) => statSync(path).isFile())
  .toSorted();

const csv = (header: string, ...lines: readonly string[]) => [header, ...lines, ""].join("\n");

/** Returns the charts as "type: title". */
const shown = ({ charts }: DrawnBoard) => charts.map(({ type, title }) => `${type}: ${title}`);

suite("core/web/console/firstBoard/makeBoard", (test) => {
  let shapes: BoardShapes;
  test.before(async () => {
    shapes = await openBoardShapes();
  });
  test.after(() => shapes?.close());

  test("orders with dates, countries and amounts", async () => {
    const lines = Array.from({ length: 900 }, (_, index) => {
      const day = new Date(Date.UTC(2025, 0, 1 + (index % 300))).toISOString().slice(0, 10);
      const country = ["France", "Germany", "Italy"][index % 3];
      const kind = ["Toys", "Books"][index % 2];
      return `O-${index},${day},C${index % 70},${country},${kind},${(index % 8) + 1},${index % 90}.5`;
    });
    const board = await shapes.draw(
      csv("Order ID,Order Date,Customer ID,Country,Category,Units,Revenue", ...lines),
      "orders.csv",
    );
    assert.equal(shown(board), [
      "evolution-number: Total revenue",
      "evolution-number: Rows",
      "line-chart: Total revenue by month",
      "bar-chart: Total revenue by category",
      "choropleth-map: Total revenue by country",
      "heat-table: Total revenue by category and country",
      "regular-table: Latest rows",
    ]);
  });

  test("the days of an unfinished month are left out of the trend", async () => {
    const lines = Array.from({ length: 372 }, (_, index) => {
      const day = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
      return `${day},${index}`;
    });
    const board = await shapes.draw(csv("day,price", ...lines), "prices.csv");
    const trend = board.charts.find(({ type }) => type === "line-chart");
    assert.is(trend?.title, "Average price by month, before Jan 1, 2021");
    assert.is(trend?.rows.length, 12);
  });

  test("one row, no rows, no values, only ids, booleans, and two hundred columns", async () => {
    const many = Array.from({ length: 200 }, (_, index) => index);
    const cases: readonly (readonly [string, string, readonly string[]])[] = [
      ["one", csv("city,amount", "Ghent,3"), ["evolution-number: Rows", "regular-table: Rows"]],
      ["none", csv("city,amount"), []],
      ["empty", csv("a,b", ",", ",", ","), ["evolution-number: Rows"]],
      ["ids", csv("id", ...many.map(String)), ["evolution-number: Rows", "regular-table: Rows"]],
      [
        "booleans",
        csv("paid", ...many.map((each) => String(each % 3 === 0))),
        ["evolution-number: Rows", "bar-chart: Rows by paid"],
      ],
    ];
    for (const [name, text, expected] of cases)
      assert.equal(shown(await shapes.draw(text, `${name}.csv`)), expected, name);
    const wide = csv(
      many.map((each) => `c${each}`).join(","),
      ...many.map((row) => many.map((each) => String((row * each) % 997)).join(",")),
    );
    assert.is((await shapes.draw(wide, "wide.csv")).charts.length, 6);
  });

  test("a dataset of a live source and a dataset with a link have boards of their own columns", async () => {
    const people = await openPeople();
    try {
      const call: CallAction = async (resource, action, members = {}) => {
        const { status, body } = await people.call(resource, {
          action,
          ...people.owner.pair,
          ...members,
        });
        if (status !== 200) throw new Error(`${resource} ${action}: ${String(body["message"])}`);
        return JSON.parse(JSON.stringify(body));
      };
      const live = await people.connect();
      const stored = await people.push();
      await call("column", "associate", {
        id: stored.columns["region"],
        resource: { role: "Joins", id: live.columns["region"] },
      });
      const charts = [
        "evolution-number: Total km",
        "evolution-number: Rows",
        "bar-chart: Total km by region",
        "regular-table: Rows",
      ];
      assert.equal(shown(await drawBoard(call, stored.id)), charts);
      assert.equal(shown(await drawBoard(call, live.id)), [
        ...charts.slice(0, 2),
        "evolution-number: Average salary",
        ...charts.slice(2),
      ]);
    } finally {
      await people.close();
    }
  });

  test("every chart of every readable file has rows", async () => {
    const all = rounds({ quick: files.filter((_, index) => index % 25 === 0), deep: files });
    let boards = 0;
    for (const file of all) {
      const name = basename(file);
      let board: DrawnBoard;
      try {
        board = await shapes.draw(new Blob([readFileSync(file)]), name);
      } catch (failure) {
        // Files that the host does not import have no board.
        if (/cannot be read|is not a|has no |must /.test(String(failure))) continue;
        throw failure;
      }
      boards += 1;
      const { charts, profile } = board;
      assert.is(charts.length > 0, profile.rows > 0, name);
      for (const { title, rows } of charts) {
        assert.ok(rows.length > 0, `${name}: ${title} has no rows`);
        const cells = rows.flatMap((row) => row.at(-1));
        assert.ok(
          cells.some((cell) => cell !== null),
          `${name}: ${title} has no values`,
        );
      }
    }
    assert.ok(boards > 0);
  });
});

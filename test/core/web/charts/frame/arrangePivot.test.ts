import * as assert from "uvu/assert";
import { arrangePivot } from "../../../../../core/web/charts/frame/arrangePivot.ts";
import { pivotLines } from "../../../../../core/web/charts/frame/pivotLines.ts";
import {
  queryOf,
  readItem,
  type ChartCell,
  type PivotHead,
  type PivotLine,
} from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";

const field = (columnId: string, more: object = {}) => ({
  columnId,
  datasetId: "d",
  type: "hierarchy",
  ...more,
});
const sales = field("sales", { type: "numeric" });

function arrange(
  slots: Readonly<Record<string, readonly object[]>>,
  rows: readonly (readonly ChartCell[])[],
  more: { readonly options?: object; readonly pivotTotals?: object } = {},
) {
  const { options = {}, pivotTotals } = more;
  const item = readItem({
    type: "pivot-table",
    options,
    slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
  });
  return arrangePivot({
    item,
    fields: queryOf(item)?.fields ?? [],
    rows,
    localeId: "en",
    timezoneId: "UTC",
    ...(pivotTotals && { pivotTotals: { down: [], across: [], grand: [], ...pivotTotals } }),
  });
}

const names = ({ children }: PivotHead): unknown[] =>
  children.map((child) => (child.children.length > 0 ? [child.name, names(child)] : child.name));
const none: ReadonlySet<string> = new Set();
const written = ({ head, role, isExpanded }: PivotLine) =>
  `${"-".repeat(head.depth)}${head.name} ${role}${role !== "value" && !isExpanded ? " closed" : ""}`;

suite("core/web/charts/frame/arrangePivot", (test) => {
  test("equal names below different groups are different rows", () => {
    const pivot = arrange({ row: [field("country"), field("city")], measure: [sales] }, [
      ["Belgium", "Hasselt", 1],
      ["Netherlands", "Hasselt", 2],
      ["Belgium", "Ghent", 3],
    ]);
    assert.equal(names(pivot.rows), [
      ["Belgium", ["Ghent", "Hasselt"]],
      ["Netherlands", ["Hasselt"]],
    ]);
    const [belgium, netherlands] = pivot.rows.children;
    const valueOf = (head: PivotHead | undefined) =>
      head && pivot.at(head, pivot.columns)?.cells.at(-1);
    assert.is(valueOf(belgium?.children[1]), 1);
    assert.is(valueOf(netherlands?.children[0]), 2);
  });

  test("names that contain separators do not collide", () => {
    const pivot = arrange({ row: [field("a"), field("b")], measure: [sales] }, [
      ['x","y', "z", 1],
      ["x", 'y","z', 2],
    ]);
    const values = pivot.rows.children.flatMap(({ children }) =>
      children.map((head) => pivot.at(head, pivot.columns)?.cells.at(-1)),
    );
    assert.equal(values.toSorted(), [1, 2]);
  });

  test("numbers, bins and periods are ordered by size, and missing values come last", () => {
    const ordered = (content: object, cells: readonly ChartCell[]) =>
      names(
        arrange(
          { row: [content], measure: [sales] },
          cells.map((cell) => [cell, 1]),
        ).rows,
      );
    const bins = field("age", { type: "numeric", bins: { enabled: true } });
    assert.equal(ordered(bins, ["[ 100 - 200 [", "[ 20 - 100 [", null, "[ 3 - 20 ["]), [
      "3 – 20",
      "20 – 100",
      "100 – 200",
      "(none)",
    ]);
    const years = field("day", { type: "datetime", level: 1 });
    assert.equal(ordered(years, ["2025-01-01T00:00:00.000Z", null, "2019-01-01T00:00:00.000Z"]), [
      "2019",
      "2025",
      "(none)",
    ]);
    assert.equal(ordered(field("name"), ["b", null, "a"]), ["a", "b", "(none)"]);
  });

  test("the options order rows by name or by their totals, and single fields in their own direction", () => {
    const slots = { row: [field("city")], column: [field("kind")], measure: [sales] };
    const rows = [
      ["a", "x", 5],
      ["b", "x", 1],
      ["b", "y", 9],
      ["c", "y", 4],
    ];
    const ordered = (options: object, pivotTotals?: object) =>
      names(arrange(slots, rows, { options, ...(pivotTotals && { pivotTotals }) }).rows);
    const down = [
      ["a", null, 5],
      ["b", null, 10],
      ["c", null, 4],
    ];
    assert.equal(ordered({}), ["a", "b", "c"]);
    assert.equal(ordered({ sort: { by: "category", direction: "desc" } }), ["c", "b", "a"]);
    assert.equal(ordered({ sort: { by: "measure" } }, { down }), ["b", "a", "c"]);
    assert.equal(ordered({ sort: { by: "measure", direction: "asc" } }, { down }), ["c", "a", "b"]);
    assert.equal(ordered({ rowSortsMap: { city: "desc" } }), ["c", "b", "a"]);
    const columns = (options: object) => names(arrange(slots, rows, { options }).columns);
    assert.equal(columns({ rowSortsMap: { kind: "desc" } }), ["y", "x"]);
  });

  test("totals are found at the level of their fields, even if a value is missing", () => {
    const pivot = arrange(
      { row: [field("country"), field("city")], column: [field("kind")], measure: [sales] },
      [[null, null, "x", 7]],
      {
        pivotTotals: {
          down: [[null, null, null, 70]],
          grand: [[null, null, null, 700]],
          subtotals: [{ rowDepth: 1, columnDepth: 0, rows: [[null, null, null, 71]] }],
        },
      },
    );
    const [group] = pivot.rows.children;
    const [leaf] = group?.children ?? [];
    const at = (head: PivotHead | undefined) => head && pivot.at(head, pivot.columns)?.cells[3];
    assert.equal([at(leaf), at(group), at(pivot.rows)], [70, 71, 700]);
    assert.is(
      leaf && pivot.columns.children[0] && pivot.at(leaf, pivot.columns.children[0])?.row,
      0,
    );
  });
});

suite("core/web/charts/frame/pivotLines", (test) => {
  const pivot = arrange({ row: [field("country"), field("city")], measure: [sales] }, [
    ["Belgium", "Ghent", 1],
    ["Belgium", "Hasselt", 2],
    ["Norway", "Oslo", 3],
  ]);
  const list = (more: object = {}) =>
    pivotLines(pivot.rows, {
      isIndented: true,
      collapsed: none,
      hasTotals: () => false,
      most: Infinity,
      ...more,
    });
  const [belgium] = pivot.rows.children;

  test("groups have a line above their lines, or a line of totals after them", () => {
    assert.equal(list().lines.map(written), [
      "-Belgium group",
      "--Ghent value",
      "--Hasselt value",
      "-Norway group",
      "--Oslo value",
    ]);
    assert.equal(list({ isIndented: false, hasTotals: () => true }).lines.map(written), [
      "--Ghent value",
      "--Hasselt value",
      "-Belgium total",
      "--Oslo value",
      "-Norway total",
    ]);
  });

  test("a collapsed group is one line", () => {
    const collapsed = new Set([belgium?.key]);
    for (const isIndented of [true, false])
      assert.is(list({ isIndented, collapsed }).lines.map(written)[0], "-Belgium group closed");
    assert.is(list({ collapsed }).lines.length, 3);
  });

  test("a limit counts the lines that it leaves out", () => {
    const { lines, hiddenCount } = list({ most: 1 });
    assert.equal(lines.map(written), ["-Belgium group", "--Ghent value"]);
    assert.is(hiddenCount, 2);
  });
});

import * as assert from "uvu/assert";
import {
  cellFormats,
  createColors,
  darkTheme,
  lightTheme,
  readColumns,
  readItem,
} from "../../../../../core/web/charts/index.ts";
import { contrast } from "../../../../../core/web/charts/color/contrast.ts";
import { suite } from "../../../../support/suite.ts";

const content = [
  { id: "c1", columnId: "km", datasetId: "d", type: "numeric", aggregationFunc: "sum" },
  { id: "c2", columnId: "km", datasetId: "d", type: "numeric", aggregationFunc: "average" },
  { columnId: "place", datasetId: "d", type: "hierarchy" },
];

function formatsOf(columns: unknown, theme = lightTheme, cells: unknown = undefined) {
  const slots = [{ name: "columns", content }];
  const item = readItem({ type: "regular-table", options: { columns, cells }, slots });
  const formatOf = cellFormats(item, theme, createColors(theme));
  return readColumns({ fields: item.fields, localeId: "en", timezoneId: "UTC" }).map(formatOf);
}

const ranges = [
  { val: 10, color: "#c0362c" },
  { isNegativeInfinityRange: true, color: "#cfe8d8" },
  { val: 0, color: "#f6d98a" },
];

suite("core/web/charts/frame/cellFormats", (test) => {
  test("a colour range extends from its lower bound to the next range's lower bound, whatever the order of the stored ranges", () => {
    const [sum, average] = formatsOf([
      { slotContentId: "c2", mode: "conditionalBackground", conditional: ranges },
    ]);
    const fills = [-5, -0.001, 0, 9.99, 10, 1e300].map((value) => average?.paint(value)?.fill);
    const [low, middle, high] = ["#cfe8d8", "#f6d98a", "#c0362c"];
    assert.equal(fills, [low, low, middle, middle, high, high]);
    assert.is(average?.paint(null), undefined);
    assert.is(sum?.isPainted, false);
    const [open] = formatsOf([
      { slotContentId: "c1", mode: "conditionalText", conditional: [{ val: 3, color: "red" }] },
    ]);
    assert.is(open?.paint(2), undefined);
    assert.is(open?.paint(3)?.on, "text");
  });

  test("text in cells keeps a contrast of at least 4.5, whatever colours are stored", () => {
    for (const theme of [lightTheme, darkTheme])
      for (const mode of ["conditionalText", "conditionalBackground", "conditionalBadge"])
        for (const color of ["#fffffe", "#000001", "#f6d98a", "#808080", "rgba(255, 0, 0, 0.3)"]) {
          const [format] = formatsOf(
            [{ slotContentId: "c1", mode, conditional: [{ val: 0, color }] }],
            theme,
          );
          const painted = format?.paint(1);
          const ground = painted?.on === "text" ? theme.background : (painted?.fill ?? "");
          const found = contrast(painted?.text ?? "", ground);
          assert.ok(found >= 4.5, `${theme.name} ${mode} ${color}: ${found}`);
        }
  });

  test("a column's format is found by the id of the slot content or of the column, even in nested lists", () => {
    const bar = { mode: "bar", barColor: "#123456" };
    assert.equal(
      formatsOf([{ slotContentId: "km", ...bar }]).map(({ barColor }) => barColor),
      ["#123456", "#123456", undefined],
    );
    assert.equal(
      formatsOf([[{ id: "c2", ...bar }]]).map(({ barColor }) => barColor),
      [undefined, "#123456", undefined],
    );
    const [sum] = formatsOf([{ slotContentId: "c1", mode: "bar" }]);
    assert.is(sum?.barColor, lightTheme.series[0]);
    const all = formatsOf(undefined, lightTheme, { bars: true });
    assert.equal(
      all.map(({ barColor }) => barColor !== undefined),
      [true, true, false],
    );
  });

  test("a category has its stored colour, or otherwise its colour in charts", () => {
    const [, , place] = formatsOf([{ slotContentId: "place", mode: "categoryBadge" }]);
    const ofCharts = createColors(lightTheme).of("place", "a");
    assert.equal(place?.paint({ id: "a", name: { en: "A" } })?.fill, ofCharts);
    assert.equal(place?.paint({ id: "b", name: { en: "B" }, color: "#abcdef" })?.fill, "#abcdef");
    assert.is(place?.paint(null), undefined);
  });

  test("the longest bar stands for the largest number, the sum or the stored target", () => {
    const numbers = [3, -5, null, 1];
    const full = (entry: object) => {
      const [format] = formatsOf([{ slotContentId: "c1", mode: "bar", ...entry }]);
      return format?.fullBar(numbers);
    };
    assert.is(full({}), 5);
    assert.is(full({ target: "max" }), 5);
    assert.is(full({ target: "total" }), 9);
    assert.is(full({ target: "manual", manualTarget: 40 }), 40);
    assert.is(full({ target: "manual", manualTarget: -1 }), 5);
    assert.is(full({ target: "manual", manualTarget: "40" }), 5);
  });

  test("options set the colour of empty cells and whether values are hidden", () => {
    const entry = { slotContentId: "c1", mode: "conditionalBackground", conditional: ranges };
    const empty = { colorEmpty: true, emptyValueColor: "#eeeeee" };
    const [format] = formatsOf([{ ...entry, ...empty, hideDataValues: true }]);
    assert.equal([format?.paint(null)?.fill, format?.paint(10)?.fill], ["#eeeeee", "#c0362c"]);
    assert.is(format?.isTextHidden, true);
    const [off] = formatsOf([{ ...entry, ...empty, colorEmpty: false, hideDataValues: "yes" }]);
    assert.equal([off?.paint(null), off?.isTextHidden], [undefined, false]);
    const [odd] = formatsOf([{ ...entry, colorEmpty: true, emptyValueColor: "url(x)" }]);
    assert.is(odd?.paint(null), undefined);
    const [alone] = formatsOf([{ slotContentId: "c1", mode: "conditionalText", ...empty }]);
    assert.is(alone?.isPainted, true);
  });

  test("a column's width is stored for desktops or another screen, and limited to 40–800 pixels", () => {
    const width = (stored: unknown) =>
      formatsOf([{ slotContentId: "c1", width: stored }])[0]?.widthPx;
    assert.is(width({ mobile: 90, desktop: 200 }), 200);
    assert.is(width({ mobile: 90 }), 90);
    assert.equal([width({ desktop: 1 }), width({ desktop: 1e9 })], [40, 800]);
    for (const odd of [{ desktop: "90" }, { desktop: Number.NaN }, 90, null, []])
      assert.is(width(odd), undefined);
  });

  test("invalid columns, modes, colours and ranges in the options of a table have no effect", () => {
    const hostile: readonly unknown[] = [
      7,
      "conditional",
      [null, 7, [7]],
      [{ slotContentId: "c1", mode: "constructor", conditional: ranges }],
      [{ slotContentId: "c1", mode: "__proto__", conditional: ranges }],
      [{ slotContentId: "c1", mode: { toString: 1 } }],
      [{ slotContentId: "c1", mode: "conditionalText", conditional: [{ val: "0", color: "red" }] }],
      [
        {
          slotContentId: "c1",
          mode: "conditionalText",
          conditional: [{ val: 0, color: "url(x)" }],
        },
      ],
      [{ slotContentId: "c1", mode: "conditionalText", conditional: { val: 0, color: "red" } }],
      [{ slotContentId: "c1", mode: "categoryBadge" }],
    ];
    for (const columns of hostile)
      for (const { barColor, isPainted, paint } of formatsOf(columns)) {
        assert.equal([barColor, isPainted, paint(5)], [undefined, false, undefined]);
      }
  });
});

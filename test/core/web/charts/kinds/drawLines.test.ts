import * as assert from "uvu/assert";
import type { ChartCell } from "../../../../../core/web/charts/index.ts";
import { suite } from "../../../../support/suite.ts";
import { barsOf, daysOf, drawChart, linesOf } from "./drawChart.ts";

const missing = daysOf("2026-03", [1, 2, 3, 6, 7]).map((day, index) => [day, 10 + index]);
const partsOf = (d = "") => d.split("M").length - 1;
const line = (options: object, rows: readonly (readonly ChartCell[])[] = missing) =>
  linesOf(drawChart({ type: "line-chart", level: 5, options, rows })).map(({ d }) => d)[0];

suite("core/web/charts/kinds/drawLines", (test) => {
  test("a line has a gap where periods are missing, connects them with no, and fills them with manual", () => {
    assert.is(partsOf(line({})), 2);
    assert.is(partsOf(line({ missingValue: { type: "break" } })), 2);
    assert.is(partsOf(line({ missingValue: { type: "no" } })), 1);
    const filled = line({ missingValue: { type: "manual", value: 0 } });
    assert.is(partsOf(filled), 1);
    // Both ends of the gap are at the value that fills it.
    const points = (filled ?? "")
      .slice(1)
      .split("L")
      .map((point) => point.split(",").map(Number));
    assert.is(points.length, 7);
    const low = Math.max(...points.map(([, y]) => y!));
    assert.equal(
      points.map(([, y]) => y === low),
      [false, false, false, true, true, false, false],
    );
  });

  test("a row without a value is a gap even if missing periods are connected or filled", () => {
    const rows = missing.map(([day, value], index) => [day!, index === 1 ? null : value!]);
    const parts = (options: object) => partsOf(line(options, rows));
    assert.is(parts({}), 3);
    assert.is(parts({ missingValue: { type: "no" } }), 2);
    assert.is(parts({ missingValue: { type: "manual", value: 5 } }), 2);
    assert.is(parts({ missingValue: { type: "no" }, nullBreak: false }), 1);
  });

  test("a period that only one series lacks is a gap of this series", () => {
    const rows = daysOf("2026-03", [1, 2, 3]).flatMap((day, index) => [
      [day, "a", 5],
      ...(index === 1 ? [] : [[day, "b", 3]]),
    ]);
    const parts = (options: object) =>
      linesOf(drawChart({ type: "line-chart", level: 5, hasLegend: true, options, rows })).map(
        ({ d }) => partsOf(d),
      );
    assert.equal(parts({}), [1, 2]);
    assert.equal(parts({ missingValue: { type: "no" } }), [1, 1]);
  });

  test("hours have no gap where the clock changes", () => {
    for (const from of ["2026-03-28T20:00:00Z", "2026-10-24T20:00:00Z"]) {
      const rows = Array.from({ length: 12 }, (_, hour) => [
        new Date(Date.parse(from) + hour * 3_600_000).toISOString(),
        hour,
      ]);
      const scene = drawChart(
        { type: "line-chart", level: 6, rows },
        { timezoneId: "Europe/Berlin" },
      );
      const [d = ""] = linesOf(scene).map((each) => each.d);
      assert.is(partsOf(d), 1);
      const xs = d
        .slice(1)
        .split("L")
        .map((point) => Number(point.split(",")[0]));
      const step = xs[1]! - xs[0]!;
      for (const [index, x] of xs.entries()) assert.ok(Math.abs(x - xs[0]! - index * step) < 0.1);
    }
  });

  test("rows without a date are named in a note", () => {
    const scene = drawChart({ type: "line-chart", level: 5, rows: [...missing, [null, 4]] });
    assert.equal(scene.notes, ["not shown: (none)", "axis does not start at 0"]);
  });

  test("the line to a period that has not ended is dashed", () => {
    const scene = drawChart(
      { type: "line-chart", level: 5, rows: missing },
      { nowMs: Date.parse("2026-03-07T15:00:00Z") },
    );
    assert.equal(
      linesOf(scene).map(({ dash }) => dash !== undefined),
      [false, true],
    );
    assert.match(scene.notes.join(), "Mar 7, 2026: not over yet");
  });

  test("areas of 100 % fill the plot, and areas that are not stacked start at 0", () => {
    const rows = daysOf("2026-03", [1, 2]).flatMap((day) => [
      [day, "a", 5],
      [day, "b", 15],
    ]);
    const areas = (mode: string) =>
      drawChart({
        type: "area-chart",
        level: 5,
        hasLegend: true,
        options: { mode },
        rows,
      }).nodes.flatMap((node) =>
        node.kind === "path" && node.stroke === undefined ? [node.d] : [],
      );
    const ysOf = (d: string) => [...d.matchAll(/,([\d.]+)/g)].map(([, y]) => Number(y));
    const [share, rest] = areas("100").map(ysOf);
    const [top, bottom] = [Math.min(...rest!), Math.max(...share!)];
    assert.ok(Math.abs(Math.min(...share!) - (bottom - (bottom - top) / 4)) < 0.1);
    const [low, high] = areas("unstacked").map(ysOf);
    assert.is(Math.max(...low!), Math.max(...high!));
  });

  test("a second axis without a list of measures measures the second one", () => {
    const rows = daysOf("2026-03", [1, 2]).map((day) => [day, 1_000, 3]);
    const scene = drawChart({
      type: "combination-chart",
      level: 5,
      measureCount: 2,
      options: { axis: { y2: { active: true } } },
      rows,
    });
    assert.is(barsOf(scene).length, 2);
    const [d = ""] = linesOf(scene).map((each) => each.d);
    const [bar] = barsOf(scene);
    // The line would lie on the ground if it shared the axis of the bars.
    assert.ok(Number(/,([\d.]+)/.exec(d)?.[1]) < bar!.y + bar!.height / 2);
  });
});

import * as assert from "uvu/assert";
import { measureText } from "../../../../../core/web/charts/index.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";
import { between } from "../between.ts";
import { barsOf, daysOf, drawChart, textsOf } from "./drawChart.ts";

const days = [1, 2, 3, 7, 8, 20];
const rows = daysOf("2026-03", days).map((day, index) => [day, 10 + index]);
const single = (values: readonly (number | null)[]) =>
  values.map((value, index) => [`name ${index}`, value]);

suite("core/web/charts/kinds/drawBars", (test) => {
  test("columns and horizontal bars over time keep the places of missing periods", () => {
    for (const [type, middleOf] of [
      ["column-chart", (bar: { x: number; width: number }) => bar.x + bar.width / 2],
      ["bar-chart", (bar: { y: number; height: number }) => bar.y + bar.height / 2],
    ] as const) {
      const bars = barsOf(drawChart({ type, level: 5, rows })) as {
        x: number;
        y: number;
        width: number;
        height: number;
      }[];
      const at = bars.map((bar) => middleOf(bar));
      const day = at[1]! - at[0]!;
      assert.ok(day > 5, type);
      for (const [index, place] of at.entries())
        assert.ok(Math.abs(place - at[0]! - day * (days[index]! - 1)) < 0.1, `${type} ${index}`);
    }
  });

  test("a row without a value has a mark, and a period without rows has none", () => {
    const withNull = [...rows, [daysOf("2026-03", [5])[0]!, null]];
    const scene = drawChart({ type: "column-chart", level: 5, rows: withNull });
    const marked = barsOf(scene).map(({ mark }) => [mark?.category, mark?.value]);
    assert.is(marked.length, days.length + 1);
    assert.equal(marked[3], ["Mar 5, 2026", "–"]);
  });

  test("rows without a date follow the last period after a free place, and are named", () => {
    const scene = drawChart({ type: "column-chart", level: 5, rows: [...rows, [null, 99]] });
    const bars = barsOf(scene);
    const [first, second] = bars;
    const day = second!.x - first!.x;
    assert.is(bars.at(-1)?.mark?.value, "99");
    assert.ok(Math.abs(bars.at(-1)!.x - bars.at(-2)!.x - 2 * day) < 0.1);
    assert.ok(textsOf(scene).some(({ text }) => text === "(none)"));
  });

  test("the bar of a period that has not ended in the reader's zone is lighter, and a note says so", () => {
    const months = ["2026-09", "2026-10", "2026-11"].map((month) => [
      `${month}-01T00:00:00.000Z`,
      5,
    ]);
    const drawn = (now: string, timezoneId: string) => {
      const shifted =
        timezoneId === "UTC"
          ? months
          : months.map(([, value], index) => [
              // The midnights of Auckland, which is 13 hours ahead in these months, and 12 before 27 September.
              new Date(
                Date.UTC(2026, 8 + index, 1) - (index === 0 ? 12 : 13) * 3_600_000,
              ).toISOString(),
              value!,
            ]);
      const scene = drawChart(
        { type: "column-chart", level: 3, rows: shifted },
        { nowMs: Date.parse(now), timezoneId },
      );
      const lighter = barsOf(scene).map(
        ({ opacity = 1, dash }) => opacity < 1 && dash !== undefined,
      );
      assert.is(
        lighter.at(-1),
        scene.notes.some((note) => note.includes("not over yet")),
      );
      return lighter;
    };
    assert.equal(drawn("2026-11-30T12:00:00Z", "UTC"), [false, false, true]);
    assert.equal(drawn("2026-12-01T00:00:00Z", "UTC"), [false, false, false]);
    assert.equal(drawn("2026-11-30T12:00:00Z", "Pacific/Auckland"), [false, false, false]);
    assert.equal(drawn("2026-11-30T10:00:00Z", "Pacific/Auckland"), [false, false, true]);
  });

  test("names below columns that differ only at their ends stay different", () => {
    const names = ["North", "South", "East"].map((end) => `International Business Machines ${end}`);
    const others = Array.from({ length: 9 }, (_, index) => `Other ${index}`);
    const rows = [...names, ...others].map((name, index) => [name, 20 - index]);
    // Names at an angle, and names of which only some are written.
    for (const width of [400, 250, 200]) {
      const shown = textsOf(drawChart({ type: "column-chart", rows }, { width }))
        .map(({ text }) => text)
        .filter((text) => text.startsWith("Int"));
      assert.ok(shown.length > 0, `${width}`);
      assert.is(new Set(shown).size, shown.length, shown.join());
    }
  });

  test("columns that would be too thin to tell apart are left out, with a note in words", () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => [`c${index}`, 1_000 - index]);
    const scene = drawChart({ type: "column-chart", rows }, { width: 500 });
    const bars = barsOf(scene);
    assert.ok(bars.length > 100 && bars.length <= 250, `${bars.length}`);
    assert.ok(bars.every(({ width }) => width >= 1));
    assert.match(scene.notes.join(), `top ${bars.length} of 1,000`);
    assert.match(scene.notes.join(), /other: \d+%/i);
    assert.is(barsOf(drawChart({ type: "column-chart", rows }, { width: 2_100 })).length, 1_000);
  });

  test("labels stand beyond the ends of bars, those of negative bars too", () => {
    const options = { bars: { label: "absolute" } };
    const values = [500, 300, -200, -400];
    const lying = drawChart({ type: "bar-chart", options, rows: single(values) });
    const upright = drawChart({ type: "column-chart", options, rows: single(values) });
    for (const [scene, isLying] of [
      [lying, true],
      [upright, false],
    ] as const)
      for (const bar of barsOf(scene)) {
        const shown = bar.mark?.value ?? "";
        const label = textsOf(scene).find(
          ({ text, x, y }) =>
            text === shown &&
            (isLying
              ? Math.abs(y - 4 - bar.y - bar.height / 2) < 1
              : Math.abs(x - bar.x - bar.width / 2) < 1),
        );
        assert.ok(label, shown);
        const isNegative = shown.startsWith("−");
        if (isLying && isNegative) assert.ok(label.anchor === "end" && label.x < bar.x, shown);
        if (isLying && !isNegative) assert.ok(label.x > bar.x + bar.width, shown);
        if (!isLying && isNegative) assert.ok(label.y > bar.y + bar.height + 8, shown);
        if (!isLying && !isNegative) assert.ok(label.y < bar.y, shown);
      }
  });

  test("columns stay upright at every width and with names of every length, and names do not collide", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 25, deep: 60 }); round++) {
        const width = between(random, 180, 1_400);
        const named = Array.from({ length: between(random, 1, 60) }, (_, index) => {
          const name = Array.from({ length: between(random, 1, 6) }, () =>
            "Lorem ".slice(0, between(random, 1, 6)),
          ).join("");
          return [`${name} ${index}`, between(random, 1, 100)];
        });
        const scene = drawChart({ type: "column-chart", rows: named }, { width });
        const bars = barsOf(scene);
        assert.is(bars.length, named.length);
        const [first] = bars;
        for (const bar of bars) {
          assert.ok(Math.abs(bar.width - first!.width) < 0.02);
          assert.ok(Math.abs(bar.y + bar.height - first!.y - first!.height) < 0.02);
        }
        const base = first!.y + first!.height;
        const below = textsOf(scene).filter(({ y, x }) => y > base + 5 && x >= first!.x - 60);
        const turned = below.filter(({ angle }) => angle !== undefined);
        for (const [index, { x }] of turned.entries())
          if (index > 0) assert.ok(x - turned[index - 1]!.x >= 12, `${width}: ${named.length}`);
        const level = below.filter(({ angle }) => angle === undefined);
        for (const one of level)
          for (const other of level) {
            if (one === other || Math.abs(one.y - other.y) > 1) continue;
            const room = (measureText(one.text, 12) + measureText(other.text, 12)) / 2;
            assert.ok(Math.abs(one.x - other.x) >= room, `${width}: ${one.text} | ${other.text}`);
          }
      }
    });
  });

  test("the total of a stack is in the marks of its bars, and with bars.totals at its end", () => {
    const stacked = [
      ["a", "x", 30],
      ["a", "y", 12],
      ["b", "x", 5],
      ["b", "y", -8],
    ];
    const scene = drawChart({
      type: "column-chart",
      hasLegend: true,
      options: { mode: "stacked", bars: { totals: true } },
      rows: stacked,
    });
    assert.equal(
      barsOf(scene).map(({ mark }) => [mark?.category, mark?.whole?.value]),
      [
        ["a", "42"],
        ["a", "42"],
        ["b", "−3"],
        ["b", "−3"],
      ],
    );
    for (const total of ["42", "−3"])
      assert.ok(
        textsOf(scene).some(({ text }) => text === total),
        total,
      );
    const grouped = drawChart({ type: "column-chart", hasLegend: true, rows: stacked });
    assert.ok(barsOf(grouped).every(({ mark }) => mark?.whole === undefined));
  });

  test("a range that cuts bars or hides 0 is named in the notes", () => {
    const notes = (range: readonly number[]) =>
      drawChart({
        type: "column-chart",
        options: { manualAxesRange: range },
        rows: single([10, 50]),
      }).notes;
    assert.equal(notes([0, 60]), []);
    assert.equal(notes([0, 40]), ["values beyond the axis are cut off"]);
    assert.equal(notes([5, 60]), [
      "axis does not start at 0",
      "values beyond the axis are cut off",
    ]);
    assert.equal(notes([60, 0]), []);
  });

  test("a logarithmic axis names what it cannot show, and stacks stay on a linear axis with a note", () => {
    const options = { axis: { y: { scale: "logarithmic" } } };
    const notes = (values: readonly number[]) =>
      drawChart({ type: "column-chart", options, rows: single(values) }).notes;
    assert.equal(notes([1, 1_000]), ["logarithmic axis"]);
    assert.equal(notes([0, 1_000]), ["logarithmic axis", "values of 0 or less are not shown"]);
    assert.match(notes([-5, 0]).join(), "linear axis");
    const stacked = drawChart({
      type: "column-chart",
      hasLegend: true,
      options: { ...options, mode: "stacked" },
      rows: [
        ["a", "x", 3],
        ["a", "y", 4],
      ],
    });
    assert.match(stacked.notes.join(), "linear axis");
  });

  test("columns on a logarithmic axis differ by the same height for the same factor", () => {
    const scene = drawChart({
      type: "column-chart",
      options: { axis: { y: { scale: "logarithmic", scaleLogBase: 2 } } },
      rows: single([8, 32, 128]),
    });
    // The largest value comes first.
    const [high, middle, low] = barsOf(scene).map(({ height }) => height);
    assert.ok(Math.abs(high! - middle! - (middle! - low!)) < 0.05);
  });

  test("a computed guideline stands at its value, and a guideline beyond a fixed range is named in a note", () => {
    const scene = drawChart({
      type: "column-chart",
      options: {
        manualAxesRange: [0, 100],
        guidelines: {
          lines: [
            { type: "average", color: "#ff0000" },
            { type: "median" },
            { type: "value", value: 500 },
          ],
        },
      },
      rows: single([20, 30, 100]),
    });
    const plot = barsOf(scene)[0]!;
    const [line] = scene.nodes.filter((node) => node.kind === "path" && node.stroke === "#ff0000");
    const y = Number(/M[\d.]+,([\d.]+)/.exec(line?.kind === "path" ? line.d : "")?.[1]);
    assert.ok(Math.abs(y - (plot.y + plot.height / 2)) < 0.1);
    const texts = textsOf(scene).map(({ text }) => text);
    assert.ok(texts.includes("average 50") && texts.includes("median 30"));
    assert.match(scene.notes.join(), "not shown: 500");
  });
});

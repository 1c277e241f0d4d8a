import * as assert from "uvu/assert";
import {
  createColors,
  drawItem,
  kindOfItem,
  lightTheme,
  loadKind,
  queryOf,
  readItem,
  valueScale,
  type ChartCell,
} from "../../../../../core/web/charts/index.ts";
import { rounds } from "../../../../support/layer.ts";
import { createRandom, withSeed } from "../../../../support/random.ts";
import { suite } from "../../../../support/suite.ts";

type Rows = readonly (readonly ChartCell[])[];

async function drawn(type: string, rows: Rows, isTime = false, width = 600) {
  const name = type === "bar-chart" ? "y-axis" : type === "donut-chart" ? "category" : "x-axis";
  const category = isTime
    ? { datasetId: "d", columnId: "t", type: "datetime", level: 5 }
    : { datasetId: "d", columnId: "c", type: "hierarchy" };
  const measure = { datasetId: "d", columnId: "m", type: "numeric", aggregationFunc: "sum" };
  const item = readItem({
    type,
    slots: [
      { name, content: [category] },
      { name: "measure", content: [measure] },
    ],
  });
  const drawKind = await loadKind(kindOfItem(type)?.kind ?? "table", "en");
  const look = {
    theme: lightTheme,
    colors: createColors(lightTheme),
    localeId: "en",
    timezoneId: "UTC",
  };
  const { fields } = queryOf(item) ?? { fields: [] };
  return drawItem({ item, fields, rows, width, height: 400, ...look }, drawKind);
}

const scaleOf = async (type: string, rows: Rows, isTime = false) =>
  valueScale(await drawn(type, rows, isTime), (row) => rows[row]?.[1]);

const named = (...values: readonly number[]): Rows =>
  values.map((value, index) => [`Region ${index}`, value]);

suite("core/web/charts/frame/valueScale", (test) => {
  test("the values of horizontal bars lie along x, and those of columns along y", async () => {
    assert.is((await scaleOf("bar-chart", named(10, 40, 25)))?.isAlongX, true);
    assert.is((await scaleOf("column-chart", named(10, 40, 25)))?.isAlongX, false);
    assert.is((await scaleOf("bar-chart", named(7, 7)))?.isAlongX, true);
    assert.is((await scaleOf("column-chart", named(7, 7)))?.isAlongX, false);
  });

  test("a line chart has a scale along y", async () => {
    const rows: Rows = [5, 9, 1].map((value, day) => [`2026-01-0${day + 1}T00:00:00.000Z`, value]);
    const scale = await scaleOf("line-chart", rows, true);
    assert.is(scale?.isAlongX, false);
    assert.ok(scale!.at(9) < scale!.at(1));
  });

  test("a pie has no value axis", async () => {
    assert.is(await scaleOf("donut-chart", named(10, 40, 25)), undefined);
  });

  test("the end of each bar is at its value, for values of both signs", () => {
    const random = createRandom();
    return withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 20, deep: 400 }); round++) {
        const size = 10 ** random.below(7);
        const count = 2 + random.below(8);
        const sign = random.pick([1, -1, 0]);
        const values = Array.from({ length: count }, () => {
          const value = (1 + random.below(1000)) * size * 0.01;
          return sign === 0 ? (random.chance(0.5) ? value : -value) : value * sign;
        });
        const type = random.pick(["bar-chart", "column-chart"]);
        const rows = named(...values);
        const scale = await scaleOf(type, rows);
        assert.is(scale?.isAlongX, type === "bar-chart", JSON.stringify(values));
        for (const { row, x, y } of scale?.points ?? []) {
          const end = scale!.isAlongX ? x : y;
          const value = Number(rows[row]?.[1]);
          assert.ok(Math.abs(scale!.at(value) - end) <= 1.5, JSON.stringify({ values, row }));
          const shown = scale!.at(scale!.valueAt(end));
          assert.ok(Math.abs(shown - end) < 0.01);
        }
      }
    });
  });
});

import * as assert from "uvu/assert";
import { queryOf, readItem, type ChartCell } from "../../../../core/web/charts/index.ts";
import { createCube, cubeQueryOf } from "../../../../core/web/embed/dashboard/brushCube.ts";
import { keyOf } from "../../../../core/web/embed/selections/index.ts";
import { clauseOf } from "../../../../core/web/embed/selections/clauseOf.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { fieldOf, itemOf, openDashboardHost, type DashboardHost } from "./openDashboardHost.ts";

type Rows = readonly (readonly ChartCell[])[];

suite("core/web/embed/dashboard/brushCube", (test) => {
  let host: DashboardHost;
  test.before(async () => {
    host = await openDashboardHost();
  });
  test.after(() => host?.close());

  const fetchRows = async (query: Readonly<Record<string, unknown>>): Promise<Rows> =>
    (await host.viewer.get<{ data: Rows }>("data", query)).data;
  const items = () => {
    const field = (name: string, more?: Readonly<Record<string, unknown>>) =>
      fieldOf(host.dataset, name, more);
    const region = field("region", { type: "hierarchy" });
    const carrier = field("carrier", { type: "hierarchy" });
    const level = (of: number) => field("at", { type: "datetime", level: of });
    const sum = field("km", { type: "numeric", aggregationFunc: "sum" });
    const count = field("km", { type: "numeric", aggregationFunc: "count" });
    const average = field("km", { type: "numeric", aggregationFunc: "average" });
    const bins = field("km", { type: "numeric", bins: { enabled: true, number: 12 } });
    const at = [0, 0, 24, 16] as const;
    const read = (type: string, slots: Parameters<typeof itemOf>[2]) =>
      readItem(itemOf(type, type, slots, at));
    return {
      brushed: [
        read("line-chart", { "x-axis": [level(4)], measure: [sum] }),
        read("column-chart", { "x-axis": [level(3)], legend: [carrier], measure: [count] }),
        read("bar-chart", { "y-axis": [region], measure: [sum] }),
        read("column-chart", { "x-axis": [bins], measure: [count] }),
      ],
      linked: [
        read("bar-chart", { "y-axis": [region], measure: [sum] }),
        read("column-chart", { "x-axis": [level(2)], legend: [carrier], measure: [sum, count] }),
        read("evolution-number", { measure: [sum] }),
        read("evolution-number", { measure: [count] }),
        read("regular-table", { columns: [region, carrier, sum] }),
      ],
      average: read("bar-chart", { "y-axis": [region], measure: [average] }),
      histogram: read("column-chart", { "x-axis": [bins], measure: [count] }),
    };
  };

  test("for random brushes, a cube in the browser returns the same rows as the host, in the same order", async () => {
    const { brushed, linked } = items();
    const random = createRandom();
    await withSeed(random, async () => {
      let compared = 0;
      for (const source of brushed) {
        const { query, fields } = queryOf(source, { timezoneId: "Europe/Brussels" })!;
        const shown = await fetchRows(query);
        for (const item of linked) {
          const options = { timezoneId: "Europe/Brussels" };
          const cubeQuery = cubeQueryOf(source, item, options);
          assert.ok(cubeQuery, `${source.type} and ${item.type}`);
          const keys = shown.map((row) => keyOf(row.slice(0, cubeQuery.brushCount)));
          const cube = createCube(cubeQuery, await fetchRows(cubeQuery.query), new Set(keys));
          assert.ok(cube, `${source.type} and ${item.type}`);
          for (let round = 0; round < rounds({ quick: 1, deep: 10, soak: 50 }); round++) {
            const from = random.below(shown.length);
            const rows = shown.slice(from, from + 1 + random.below(shown.length - from));
            const local = cube.fold(
              new Set(rows.map((row) => keyOf(row.slice(0, cubeQuery.brushCount)))),
            );
            const clause = clauseOf({ item: source, fields, rows, localeId: "en", ...options });
            const itemQuery = queryOf(item, { ...options, where: clause?.where ?? [] })!;
            const answered = await fetchRows(itemQuery.query);
            // The order of rows is not defined if their measures are equal, or if the query has no order.
            const sort = (all: Rows) => all.map((row) => JSON.stringify(row)).toSorted();
            assert.equal(sort(local), sort(answered), JSON.stringify(clause?.where));
            if (cubeQuery.order) {
              const cell = cubeQuery.groupCount + cubeQuery.order.measure;
              assert.equal(
                local.map((row) => row[cell]),
                answered.map((row) => row[cell]),
              );
            }
            compared++;
          }
        }
      }
      assert.ok(compared >= brushed.length * linked.length);
    });
  });

  test("averages, formulas, limits, plain rows and bins of numbers are queried from the host, not from a cube", () => {
    const { brushed, linked, average, histogram } = items();
    const [source] = brushed;
    assert.is(cubeQueryOf(source!, average, {}), undefined);
    assert.is(cubeQueryOf(source!, histogram, {}), undefined);
    const [bars] = linked;
    assert.is(cubeQueryOf(source!, { ...bars!, options: { limit: { number: 3 } } }, {}), undefined);
    assert.is(
      cubeQueryOf(
        source!,
        { ...bars!, fields: bars!.fields.map((field) => ({ ...field, formula: "1" })) },
        {},
      ),
      undefined,
    );
  });

  test("a cube is not used if its answer is truncated or has groups that the brushed item does not show", () => {
    const { brushed, linked } = items();
    const cubeQuery = cubeQueryOf(brushed[0]!, linked[0]!, {})!;
    const row = ["2001-01-01T00:00:00.000Z", { id: "north", name: { en: "north" } }, 3] as const;
    const keys = new Set([keyOf(row.slice(0, 1))]);
    assert.ok(createCube(cubeQuery, [row], keys));
    assert.is(createCube(cubeQuery, [row], new Set()), undefined);
    assert.is(
      createCube(
        cubeQuery,
        Array.from({ length: 20_000 }, () => row),
        keys,
      ),
      undefined,
    );
  });
});

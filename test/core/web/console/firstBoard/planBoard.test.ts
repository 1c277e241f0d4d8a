import * as assert from "uvu/assert";
import {
  planBoard,
  type BoardProfile,
  type ColumnProfile,
} from "../../../../../core/web/console/firstBoard/index.ts";
import { itemTypes, isItemType } from "../../../../../core/web/charts/index.ts";
import { createRandom } from "../../../../support/random.ts";
import { rounds } from "../../../../support/layer.ts";
import { suite } from "../../../../support/suite.ts";

const column = (title: string, more: Partial<ColumnProfile> = {}): ColumnProfile => ({
  id: title,
  name: { en: title },
  title,
  type: "hierarchy",
  subtype: null,
  format: null,
  aggregation: null,
  filled: 1_000,
  distinct: 5,
  least: null,
  most: null,
  samples: ["a", "b"],
  ...more,
});

const number = (title: string, more: Partial<ColumnProfile> = {}) =>
  column(title, {
    type: "numeric",
    distinct: 400,
    least: 0.5,
    most: 900.25,
    samples: [1.5, 20.25],
    ...more,
  });

const time = (title: string, more: Partial<ColumnProfile> = {}) =>
  column(title, {
    type: "datetime",
    subtype: "date",
    distinct: 180,
    least: "2001-01-01T00:00:00.000Z",
    most: "2001-07-01T00:00:00.000Z",
    samples: ["2001-01-01T00:00:00.000Z"],
    ...more,
  });

const months = (...rows: readonly number[]) =>
  rows.map((count, index) => ({
    start: `2001-${String(index + 1).padStart(2, "0")}-01T00:00:00`,
    rows: count,
  }));

const profileOf = (
  columns: readonly ColumnProfile[],
  more: Partial<BoardProfile> = {},
): BoardProfile => ({
  datasetId: "d",
  name: "Flights",
  rows: 1_000,
  columns,
  nowMs: Date.parse("2026-06-15T00:00:00Z"),
  ...more,
});

/** Returns the type and title of each item, in order. */
const planned = (profile: BoardProfile): readonly string[] =>
  planBoard(profile).items.map(({ type, options }) => {
    const title: unknown = options["title"];
    const { en } = { en: "", ...(typeof title === "object" ? title : {}) };
    return `${type}: ${en}`;
  });

const measuresOf = (profile: BoardProfile): readonly string[] =>
  planBoard(profile).items.flatMap(({ slots }) =>
    slots.flatMap(({ name, content }) =>
      name === "measure"
        ? content.map((each) => {
            const { aggregationFunc, columnId } = { aggregationFunc: "", columnId: "", ...each };
            return `${aggregationFunc} ${columnId}`;
          })
        : [],
    ),
  );

suite("core/web/console/firstBoard/planBoard", (test) => {
  test("data with time, numbers and categories gets numbers, a trend, rankings, a heat map and a table", () => {
    const profile = profileOf(
      [
        time("date"),
        number("hour", { distinct: 24, least: 0, most: 23, samples: [4, 8] }),
        column("origin", { distinct: 229 }),
        column("carrier", { distinct: 12 }),
        number("delay", { least: -20, most: 180 }),
        number("ticket_id", { distinct: 1_000, least: 1, most: 1_000, samples: [1, 2] }),
      ],
      { trend: { columnId: "date", level: 3, periods: months(100, 90, 95, 99, 101, 102) } },
    );
    assert.equal(planned(profile), [
      "date-filter: date",
      "dropdown-filter: carrier",
      "evolution-number: Average delay",
      "evolution-number: Rows",
      "line-chart: Average delay by month",
      "bar-chart: Average delay by carrier",
      "heat-table: Average delay by carrier and hour",
      "bar-chart: Average delay by origin, top 10",
      "regular-table: Latest rows",
    ]);
  });

  test("hours, years, ids and codes are never added up or averaged", () => {
    const whole = { samples: [1, 2, 3] };
    const profile = profileOf([
      number("hour", { ...whole, distinct: 24, least: 0, most: 23 }),
      number("Year", { ...whole, distinct: 20, least: 2_001, most: 2_020, samples: [2_001] }),
      number("customer_id", { ...whole, least: 1, most: 90_000 }),
      number("zip code", { ...whole, least: 1_000, most: 99_999 }),
      number("row", { ...whole, distinct: 1_000, least: 1, most: 1_000 }),
      number("lat", { least: 50.1, most: 51.2 }),
      number("lon", { least: 4.1, most: 5.2 }),
      number("Phone", { ...whole, least: 3_200_000, most: 3_299_999 }),
    ]);
    const used = measuresOf(profile).filter((each) => !/^(count \*|distinctcount )/.test(each));
    assert.equal(used, []);
    assert.ok(planned(profile).includes("symbol-map: Rows by place"));
  });

  test("amounts are added up, and prices, rates, shares and measurements averaged", () => {
    const by = (title: string, more: Partial<ColumnProfile> = {}) =>
      measuresOf(profileOf([number(title, more)]))[0];
    assert.is(by("Revenue"), "sum Revenue");
    assert.is(by("Units", { samples: [1, 2], least: 1, most: 90 }), "sum Units");
    assert.is(by("Anzahl"), "sum Anzahl");
    assert.is(by("Unit Price"), "average Unit Price");
    assert.is(by("unitPrice"), "average unitPrice");
    assert.is(by("Discount %"), "average Discount %");
    assert.is(by("x"), "average x");
    assert.is(by("petal.length"), "average petal.length");
    assert.is(by("x", { subtype: "currency" }), "sum x");
    assert.is(by("x", { subtype: "duration" }), "average x");
    assert.is(by("Revenue", { aggregation: "median" }), "median Revenue");
    const flag = { distinct: 2, least: 0, most: 1, samples: [0, 1] };
    assert.ok(
      planned(profileOf([number("Survived", flag)])).includes(
        "evolution-number: Share of survived",
      ),
    );
  });

  test("an earlier last period with few rows is left out, and the title says so", () => {
    const { items, filters } = planBoard(
      profileOf([time("date"), number("delay")], {
        trend: { columnId: "date", level: 3, periods: months(100, 90, 95, 99, 101, 102, 6) },
      }),
    );
    const titles = items.map(({ options }) => JSON.stringify(options["title"])).join(" ");
    assert.match(titles, /Average delay by month, before Jul 1, 2001/);
    assert.is(filters.length, 3);
    assert.equal(filters[0]?.parameters, [
      { dataset_id: "d", column_id: "date" },
      "2001-07-01T00:00:00",
    ]);
  });

  test("numbers leave out the current period relative to now, and the trend shows it as unfinished", () => {
    const { filters } = planBoard(
      profileOf([time("date"), number("delay")], {
        nowMs: Date.parse("2001-07-02T00:00:00"),
        trend: { columnId: "date", level: 3, periods: months(100, 90, 95, 99, 101, 102, 60) },
      }),
    );
    assert.equal(
      filters.map(({ expression }) => expression),
      ["more_than_ago", "more_than_ago"],
    );
  });

  test("a full last period is shown, even if it has fewer rows than others", () => {
    const { filters } = planBoard(
      profileOf([time("date", { most: "2001-06-30T00:00:00.000Z" }), number("delay")], {
        trend: { columnId: "date", level: 3, periods: months(100, 90, 95, 99, 101, 20) },
      }),
    );
    assert.equal(filters, []);
  });

  test("countries get a map, and parts of a sum a trend of their own", () => {
    const trend = { columnId: "date", level: 3, periods: months(9, 9, 9, 9) };
    const titles = planned(
      profileOf([time("date"), column("Country", { isCountry: true }), number("Sales")], { trend }),
    );
    assert.ok(titles.includes("choropleth-map: Total sales by country"));
    assert.ok(titles.includes("area-chart: Total sales by month and country"));
  });

  test("data without time shows distributions", () => {
    const titles = planned(profileOf([column("Species", { distinct: 3 }), number("width")]));
    assert.ok(titles.includes("column-chart: Distribution of width"));
  });

  test("rankings of more than twelve values show ten, and leave the others to the chart", () => {
    const { items } = planBoard(profileOf([column("city", { distinct: 300 }), number("sales")]));
    const ranking = items.find(({ type }) => type === "bar-chart");
    assert.equal(ranking?.options["limit"], { number: 10 });
    assert.ok(items.every(({ type }) => type !== "donut-chart"));
  });

  test("names that occur once are not counted, and texts are not charted", () => {
    const titles = planned(
      profileOf([
        column("comment", { distinct: 990, samples: ["a long text ".repeat(9)] }),
        column("email", { distinct: 1_000 }),
      ]),
    );
    assert.equal(titles, ["evolution-number: Rows", "regular-table: Rows"]);
  });

  test("a dataset without rows has no board, and one without values only its number of rows", () => {
    assert.equal(planBoard(profileOf([number("x")], { rows: 0 })).items, []);
    const empty = { filled: 0, distinct: 0, least: null, most: null, samples: [] };
    assert.equal(planned(profileOf([number("x", empty), column("y", empty)])), [
      "evolution-number: Rows",
    ]);
    assert.equal(planned(profileOf([])), ["evolution-number: Rows"]);
  });

  test("every board of a random shape has valid items that do not overlap, and at most seven charts", () => {
    const random = createRandom();
    const names = "id Year hour price Revenue country lat lon x created_at Umsatz name % _".split(
      " ",
    );
    const any = <Value>(list: readonly Value[]): Value => {
      const found = list[random.below(list.length)];
      if (found === undefined) throw new Error("an empty list");
      return found;
    };
    for (let round = 0; round < rounds({ quick: 300, deep: 5_000 }); round += 1) {
      const rows = any([0, 1, 2, 10, 61, 1_000, 10_000_000]);
      const columns = Array.from({ length: random.below(14) }, (_, index) => {
        const filled = any([0, 1, Math.floor(rows / 2), rows]);
        const distinct = filled === 0 ? 0 : Math.min(filled, any([1, 2, 5, 13, 60, 600, filled]));
        const type = any(["numeric", "hierarchy", "datetime"] as const);
        const isEmpty = filled === 0 || type === "hierarchy";
        const [least, most] =
          type === "datetime"
            ? [
                "2001-01-01T00:00:00.000Z",
                any(["2001-01-02T00:00:00.000Z", "2031-01-01T00:00:00.000Z"]),
              ]
            : any([
                [0, 1],
                [1, 1_000],
                [-5.5, 3.25],
                [1_990, 2_020],
              ]);
        return column(`${any(names)}${any(["", " 2", "_total"])}`, {
          id: String(index),
          type,
          filled,
          distinct,
          least: isEmpty ? null : least,
          most: isEmpty ? null : most,
          isCountry: type === "hierarchy" && random.below(9) === 0,
        });
      });
      const { items, filters } = planBoard(profileOf(columns, { rows }));
      const charts = items.filter(({ type }) => !type.endsWith("-filter"));
      assert.is(items.length === 0, rows === 0);
      assert.ok(charts.length <= 7);
      const taken = new Set<string>();
      for (const { id, type, slots, position } of items) {
        assert.ok(isItemType(type), type);
        const { dimensions, measures, ...more }: (typeof itemTypes)[keyof typeof itemTypes] =
          itemTypes[isItemType(type) ? type : "text"];
        const known: readonly string[] = [
          ...dimensions,
          ...measures,
          ...("controls" in more ? more.controls : []),
        ];
        assert.ok(slots.every(({ name, content }) => known.includes(name) && content.length > 0));
        assert.ok(position.col + position.sizeX <= 48);
        for (let x = 0; x < position.sizeX; x += 1)
          for (let y = 0; y < position.sizeY; y += 1) {
            const cell = `${position.col + x},${position.row + y}`;
            assert.not(taken.has(cell), `item ${id} overlaps another`);
            taken.add(cell);
          }
      }
      assert.ok(filters.every(({ itemId }) => items.some(({ id }) => id === itemId)));
    }
  });
});

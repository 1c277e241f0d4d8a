import * as assert from "uvu/assert";
import {
  languages,
  readControlValue,
  type ControlForm,
  type ChartItem,
  type ControlValue,
  type SlotField,
} from "../../../../../core/web/charts/index.ts";
import { clauseOfControl } from "../../../../../core/web/embed/controls/clauseOfControl.ts";
import { comparedPeriodOf } from "../../../../../core/web/embed/controls/comparedPeriodOf.ts";
import { defaultValueOf } from "../../../../../core/web/embed/controls/defaultValueOf.ts";
import { formOf } from "../../../../../core/web/embed/controls/formOf.ts";
import { offeredRanges } from "../../../../../core/web/embed/controls/offeredRanges.ts";
import { loadControlWords } from "../../../../../core/web/embed/controls/words/controlWordsOf.ts";
import { suite } from "../../../../support/suite.ts";

const column = { column_id: "c", dataset_id: "d" };

function itemOf(
  type: string,
  field: Partial<SlotField> = {},
  options: ChartItem["options"] = {},
): ChartItem {
  return {
    id: "control",
    type,
    options,
    fields: [{ slot: "dimension", type: "hierarchy", datasetId: "d", columnId: "c", ...field }],
  };
}

const dates = itemOf("date-filter", { type: "datetime", level: 3 });

const clause = (item: ChartItem, value: ControlValue, more = {}) =>
  clauseOfControl({ item, value, localeId: "en", timezoneId: "Europe/Berlin", ...more });

await Promise.all(languages.map(loadControlWords));

suite("core/web/embed/controls/clauseOfControl", (test) => {
  test("a relative range is the host's relative filter, without the level of the column", () => {
    for (const [range, label] of [
      [{ key: "last_now", unit: 5, quantity: 7 }, "Last 7 days"],
      [{ key: "last_completed", unit: 3, quantity: 3 }, "Last 3 complete months"],
      [{ key: "ago", unit: 2, quantity: 0 }, "This quarter"],
      [{ key: "ago", unit: 5, quantity: 1 }, "Yesterday"],
      [{ key: "to_date", unit: 1, quantity: 1 }, "Year to date"],
      [{ key: "next_full", unit: 4, quantity: 2 }, "Next 2 complete weeks"],
    ] as const) {
      const { key, unit, quantity } = range;
      const made = clause(dates, { range });
      assert.equal(made?.where, [{ expression: key, parameters: [column, { unit, quantity }] }]);
      assert.is(made?.label, label);
    }
  });

  test("a custom range includes both of its days in the reader's time zone, even across a clock change", () => {
    const range = { key: "custom", customRange: { from: "2026-03-28", to: "2026-03-29" } } as const;
    assert.equal(clause(dates, { range })?.where, [
      { expression: "? >= ?", parameters: [column, "2026-03-27T23:00:00.000Z"] },
      { expression: "? < ?", parameters: [column, "2026-03-29T22:00:00.000Z"] },
    ]);
  });

  test("a custom range of a column of dates is the same in every time zone", () => {
    const range = { key: "custom", customRange: { from: "2026-03-31", to: "" } } as const;
    const item = itemOf("date-filter", { type: "datetime", subtype: "date" });
    assert.equal(clause(item, { range })?.where, [
      { expression: "? >= ?", parameters: [column, "2026-03-31T00:00:00.000Z"] },
    ]);
  });

  test("labels of ranges are in the reader's language", () => {
    const range = { key: "last_now", unit: 5, quantity: 1000 } as const;
    const label = (localeId: string) => clause(dates, { range }, { localeId })?.label;
    assert.is(label("de-DE"), "Letzte 1.000 Tage");
    assert.is(label("fr-FR")?.replaceAll(/\s/g, " "), "1 000 derniers jours");
    assert.is(label("es"), "Últimos 1000 días");
    assert.is(label("it"), "Ultimi 1000 giorni");
    assert.is(label("ja"), "直近 1,000 日");
    const custom = {
      key: "custom",
      customRange: { from: "2026-03-31", to: "2026-04-01" },
    } as const;
    assert.is(
      clause(dates, { range: custom }, { localeId: "de-DE" })?.label,
      "31.03.2026 – 01.04.2026",
    );
  });

  test("ranges have the plural form, the case and the gender of their unit", () => {
    for (const [localeId, key, unit, quantity, text] of [
      ["en", "last_now", 5, 1, "Last 1 day"],
      ["en", "or_more_ago", 3, 1, "1 month ago or earlier"],
      ["de", "ago", 5, 7, "Vor 7 Tagen"],
      ["de", "more_than_ago", 1, 1, "Vor mehr als 1 Jahr"],
      ["de", "last_now", 1, 1, "1 Jahr bis jetzt"],
      ["fr", "last_completed", 4, 2, "2 dernières semaines complètes"],
      ["it", "next_now", 6, 1, "Prossima ora"],
      ["pt-BR", "last_now", 5, 7, "Últimos 7 dias"],
      ["ar", "ago", 5, 2, "قبل يومين"],
      ["ar", "last_now", 5, 11, "آخر 11 يومًا"],
      ["ar", "last_completed", 6, 3, "آخر 3 ساعات كاملة"],
      ["he", "ago", 4, 2, "לפני שבועיים"],
      ["he", "last_now", 5, 7, "7 ימים אחרונים"],
      ["ja", "ago", 3, 3, "3 か月前"],
    ] as const)
      assert.is(clause(dates, { range: { key, unit, quantity } }, { localeId })?.label, text);
  });

  test("missing and empty values of a list have names, and filter like other values", () => {
    const made = clause(itemOf("slicer-filter"), { values: [null, "", "  ", "a", "b"] });
    assert.equal(made?.where, [
      { expression: "? in ?", parameters: [column, [null, "", "  ", "a", "b"]] },
    ]);
    assert.is(made?.label, "(none); (empty); (blank) + 2");
  });

  test("values that the column cannot have filter nothing", () => {
    const values = { values: ["Berlin"] };
    assert.is(clause(itemOf("slicer-filter", { type: "numeric" }), values), undefined);
    assert.is(clause(itemOf("slicer-filter", { type: "datetime", level: 1 }), values), undefined);
    assert.ok(clause(itemOf("slicer-filter"), values));
  });
});

const march = { key: "custom", customRange: { from: "2026-03-01", to: "2026-03-31" } } as const;

suite("core/web/embed/controls/comparedPeriodOf", (test) => {
  const shiftOf = (value: ControlValue) => {
    const { level, quantity } = comparedPeriodOf(itemOf("date-comparison-filter"), value) ?? {};
    return [level, quantity];
  };

  test("as many days from an earlier day are a shift by whole days", () => {
    assert.equal(shiftOf({ range: march, compare: { from: "2025-11-15" } }), [5, 106]);
    // A day with a change of the clock is one day.
    const april = { key: "custom", customRange: { from: "2026-04-01", to: "2026-04-01" } } as const;
    assert.equal(shiftOf({ range: april, compare: { from: "2026-03-28" } }), [5, 4]);
    assert.equal(shiftOf({ range: march, compare: "year" }), [1, 1]);
    assert.equal(shiftOf({ range: march }), [undefined, undefined]);
  });

  test("the label of a range names the days that are compared", () => {
    const label = clauseOfControl({
      item: itemOf("date-comparison-filter", { type: "datetime" }),
      value: { range: march, compare: { from: "2025-11-15" } },
      localeId: "en",
      timezoneId: "UTC",
    })?.label;
    assert.is(label, "Mar 1, 2026 – Mar 31, 2026 · Nov 15, 2025 – Dec 15, 2025");
  });
});

suite("core/web/embed/controls/readControlValue", (test) => {
  test("only values of the control's form are read from JSON", () => {
    for (const [form, given, read] of [
      ["list", { values: ["a", null, 1] }, { values: ["a", null, 1] }],
      ["list", { values: [] }, undefined],
      ["list", { values: [{ a: 1 }] }, undefined],
      ["list", { values: Array.from({ length: 1_001 }, () => "a") }, undefined],
      ["choice", { text: "a" }, undefined],
      ["search", { text: " " }, undefined],
      ["search", { text: "a", values: ["b"] }, { text: "a" }],
      ["range", { from: 1 }, { from: 1 }],
      ["range", { from: "1" }, undefined],
      ["range", {}, undefined],
      ["dates", { range: { key: "YTD" } }, { range: { key: "to_date", unit: 1, quantity: 1 } }],
      [
        "dates",
        { range: { key: "last", unit: 5, quantity: -7 }, compare: "year" },
        { range: { key: "last_available", unit: 5, quantity: 7 }, compare: "year" },
      ],
      [
        "dates",
        { range: march, compare: { from: "2026-02-28" } },
        { range: march, compare: { from: "2026-02-28" } },
      ],
      ["dates", { range: march, compare: { from: "2026-03-01" } }, { range: march }],
      ["dates", { range: march, compare: { from: "soon" } }, { range: march }],
      [
        "dates",
        { range: { key: "YTD" }, compare: { from: "2026-02-28" } },
        { range: { key: "to_date", unit: 1, quantity: 1 } },
      ],
      ["dates", { range: { key: "last_now", unit: 9, quantity: 1 } }, undefined],
      ["dates", { range: { key: "last_now", unit: 5, quantity: 1.5 } }, undefined],
      ["dates", { range: { key: "custom", customRange: { from: "soon" } } }, undefined],
      ["dates", { range: { key: "drop table", unit: 5 } }, undefined],
      ["dates", null, undefined],
    ] as const satisfies readonly (readonly [ControlForm, unknown, unknown])[])
      assert.equal(readControlValue(form, given), read, JSON.stringify(given));
  });

  test("a slider over dates is a control of dates", () => {
    assert.is(formOf(itemOf("slider-filter", { type: "datetime" })), "dates");
    assert.is(formOf(itemOf("slider-filter", { type: "numeric" })), "range");
  });
});

suite("core/web/embed/controls/defaultValueOf", (test) => {
  const group = (filters: readonly object[], more = {}) => ({
    origin: "filterFromVizItem",
    itemId: "control",
    condition: "and",
    filters,
    ...more,
  });
  const filter = (expression: string, value?: unknown) => ({
    expression,
    parameters: [{ columnId: "c", datasetId: "d" }, ...(value === undefined ? [] : [value])],
  });

  test("the stored filters of a filter item are the value with which its control opens", () => {
    for (const [item, filters, value] of [
      [
        dates,
        [filter("last_now", { unit: 5, quantity: 30 })],
        { range: { key: "last_now", unit: 5, quantity: 30 } },
      ],
      [
        dates,
        [filter("? >= ?", "2026-01-01"), filter("? <= ?", "2026-02-01")],
        { range: { key: "custom", customRange: { from: "2026-01-01", to: "2026-02-01" } } },
      ],
      [itemOf("slicer-filter"), [filter("? in ?", ["a", null])], { values: ["a", null] }],
      [itemOf("dropdown-filter"), [filter("? = ?", "a")], { values: ["a"] }],
      [itemOf("search-filter"), [filter("? like ?", "a")], { text: "a" }],
      [
        itemOf("slider-filter", { type: "numeric" }),
        [filter("? between ?", [1, 2])],
        { from: 1, to: 2 },
      ],
    ] as const)
      assert.equal(defaultValueOf(item, [group(filters)]), value);
  });

  test("stored filters that the control cannot show stay fixed filters", () => {
    const slicer = itemOf("slicer-filter");
    const other = { ...filter("? in ?", ["a"]), parameters: [{ columnId: "other" }, ["a"]] };
    for (const groups of [
      [],
      [group([filter("? not in ?", ["a"])])],
      [group([other])],
      [group([filter("? in ?", ["a"]), filter("? in ?", ["b"])])],
      [group([filter("? in ?", ["a"])], { condition: "or" })],
      [group([filter("? in ?", ["a"])], { subGroups: [{}] })],
      [group([filter("? in ?", ["a"])], { itemId: "another" })],
      [group([filter("? in ?", ["a"])], { origin: "global" })],
    ])
      assert.is(defaultValueOf(slicer, groups), undefined, JSON.stringify(groups));
  });
});

suite("core/web/embed/controls/offeredRanges", (test) => {
  const labels = (item: ChartItem, localeId: string) =>
    offeredRanges(item, localeId, "UTC").map(({ label }) => label);

  test("ranges of weeks name their first day where people expect another", () => {
    assert.ok(labels(dates, "en-GB").includes("This week"));
    assert.ok(labels(dates, "en-US").includes("This week (from Monday)"));
  });

  test("the author's ranges replace the usual ones, and those that queries cannot test are left out", () => {
    const ranges = [
      {
        key: "last_now",
        unit: 5,
        quantity: 14,
        displayLabel: { en: "A fortnight", de: "14 Tage" },
      },
      { key: "between the years", unit: 5, quantity: 1 },
      { key: "custom", customRange: { from: "2026-01-01", to: "2026-06-30" } },
    ];
    const item = itemOf("date-filter", { type: "datetime" }, { dateRange: { ranges } });
    assert.equal(labels(item, "de-DE"), ["14 Tage", "01.01.2026 – 30.06.2026"]);
  });
});

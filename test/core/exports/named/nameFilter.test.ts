import * as assert from "uvu/assert";
import { nameFilter } from "../../../../core/exports/named/nameFilter.ts";
import { isObject } from "../../../../core/base/index.ts";
import { suite } from "../../../support/suite.ts";

const region = { column_id: "r", dataset_id: "d" };
const price = { column_id: "p", dataset_id: "d" };
const test_ = (expression: string, ...parameters: readonly unknown[]) => ({
  expression,
  parameters,
});

function named(filter: object, localeId = "en"): string {
  return nameFilter(filter, {
    localeId,
    columnName: (parameter) =>
      isObject<"column_id">(parameter) && parameter.column_id !== undefined
        ? parameter.column_id === "r"
          ? "Region"
          : "Price"
        : undefined,
    valueText: (_, value) => (value === null ? "(none)" : String(value)),
  });
}

suite("core/exports/named/nameFilter", (test) => {
  test("filters are named with their column, their test and their values", () => {
    const cases: readonly (readonly [object, string])[] = [
      [test_("? in ?", region, ["East", "West"]), "Region: East, West"],
      [test_("? = ?", region, "East"), "Region: East"],
      [test_("? in ?", region, [null]), "Region: (none)"],
      [test_("? is null", region), "Region: (none)"],
      [test_("? is not null", region), "Region: not (none)"],
      [test_("? not in ?", region, ["East"]), "Region: not East"],
      [test_("? >= ?", price, 3), "Price >= 3"],
      [test_("? like ?", region, "as"), "Region contains as"],
      [test_("last_now", price, { unit: "day", quantity: 30 }), "Price: last 30 days"],
      [test_("last_now", price, { unit: "quarter", quantity: 2 }), "Price: last 6 months"],
    ];
    for (const [filter, text] of cases) assert.is(named(filter), text);
  });

  test("filters are named in the reader's language", () => {
    const lacks = test_("? not like ?", region, "as");
    const period = test_("ago", price, { unit: "day", quantity: 7 });
    assert.is(named(lacks), "Region does not contain as");
    assert.is(named(lacks, "pt-BR"), "Region não contém as");
    assert.is(named(lacks, "ja"), "Regionにasを含まない");
    assert.is(named(test_("? in ?", region, ["a", "b"]), "ar"), "Region: a، b");
    assert.is(named(period, "de"), "Price: 7 Tage zurück");
    assert.is(named(period, "it"), "Price: 7 giorni fa");
    assert.is(named(test_("? like ?", region, "{name} $&"), "he"), "Region מכיל {name} $&");
  });

  test("a long list of values is counted, and not cut silently", () => {
    const many = Array.from({ length: 12 }, (_, at) => `v${at}`);
    assert.is(named(test_("? in ?", region, many)), "Region: v0, v1, v2, v3, v4 + 7");
  });

  test("groups of filters are joined with words of the language", () => {
    const filter = {
      or: [
        { and: [test_("? in ?", region, ["East"]), test_("? > ?", price, 1)] },
        test_("? is null", region),
      ],
    };
    assert.is(named(filter, "de"), "Region: East und Price > 1 oder Region: (keine)");
  });

  test("an expression without words of its own is shown as it is, with names in it", () => {
    assert.is(named(test_("? between ? and ?", price, 1, 2)), "Price between 1 and 2");
    assert.is(named(test_("? > ?", price, region)), "Price > Region");
  });
});

import * as assert from "uvu/assert";
import { calculationTypes as hostTypes } from "../../../../../core/queries/calculationTypes.ts";
import { calculationTypes } from "../../../../../core/web/charts/item/item.ts";
import { readColumns } from "../../../../../core/web/charts/answer/readColumns.ts";
import { queryOf } from "../../../../../core/web/charts/item/queryOf.ts";
import { readItem } from "../../../../../core/web/charts/item/readItem.ts";
import { suite } from "../../../../support/suite.ts";

const measured = (more: object) =>
  queryOf(
    readItem({
      type: "evolution-number",
      slots: [
        {
          name: "measure",
          content: [{ datasetId: "d", columnId: "km", type: "numeric", ...more }],
        },
      ],
    }),
  )?.query.measures?.[0];
const sum = { dataset_id: "d", column_id: "km", aggregation: { type: "sum" } };

suite("core/web/charts/item/readCalculation", (test) => {
  test("charts know the calculations of the data service", () => {
    assert.equal([...calculationTypes], Object.keys(hostTypes));
  });

  test("a stored comparison is a calculation of the measure", () => {
    assert.equal(
      measured({ periodOverPeriod: { type: "percentageChange", level: 1, quantity: 2 } }),
      { ...sum, calculation: { type: "percentage_change", level: 1, quantity: 2 } },
    );
    const offsetDateColumn = { id: "day", datasetId: "d", type: "datetime" };
    assert.equal(
      measured({
        periodOverPeriod: { type: "past", level: 0, periodToDate: true, offsetDateColumn },
      }),
      {
        ...sum,
        calculation: {
          type: "past",
          level: 0,
          quantity: 1,
          period_to_date: true,
          dataset_id: "d",
          column_id: "day",
        },
      },
    );
  });

  test("a share and a rank are calculations of the measure", () => {
    assert.equal(measured({ calculation: { type: "share_of_total" } }), {
      ...sum,
      calculation: { type: "share_of_total" },
    });
    assert.equal(measured({ calculation: { type: "rank", order: "asc" } }), {
      ...sum,
      calculation: { type: "rank", order: "asc" },
    });
  });

  test("names and numbers of calculated measures say what they are", () => {
    const shown = (type: string, cell: number) => {
      const [column] = readColumns({
        fields: readItem({
          type: "evolution-number",
          slots: [
            {
              name: "measure",
              content: [
                { type: "numeric", label: { en: "Km" }, format: ",.2f", ...calculated(type) },
              ],
            },
          ],
        }).fields,
        localeId: "en",
        timezoneId: "UTC",
      });
      return [column?.name, column?.text(cell)];
    };
    const calculated = (type: string) =>
      type === "rank" || type === "share_of_total"
        ? { calculation: { type } }
        : { periodOverPeriod: { type, level: 1, quantity: 1 } };
    assert.equal(shown("past", 12.5), ["Km (earlier)", "12.50"]);
    assert.equal(shown("absoluteChange", -2), ["Km (change)", "−2.00"]);
    assert.equal(shown("percentageChange", 0.256), ["Km (change in %)", "25.6%"]);
    assert.equal(shown("share_of_total", 0.25), ["Km (share)", "25.0%"]);
    assert.equal(shown("rank", 3), ["Km (rank)", "3"]);
  });

  test("without a comparison, or with an unknown one, the measure is plain", () => {
    for (const more of [
      {},
      { periodOverPeriod: null },
      { periodOverPeriod: { type: "none", level: 1, quantity: 1 } },
      { periodOverPeriod: { type: "toString" } },
      { calculation: "rank" },
    ])
      assert.equal(measured(more), sum);
  });
});

import * as assert from "uvu/assert";
import { createPlainHost } from "../../../support/plainHost.ts";
import { embedOf } from "../../../support/restricted.ts";
import { refusal } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";

const instants = [
  "2024-03-30T22:59:59.000Z",
  "2024-03-30T23:00:00.000Z",
  "2024-03-31T00:00:00.000Z",
  "2024-03-31T21:59:59.999Z",
  "2024-03-31T22:00:00.000Z",
];
const at = { dataset_id: "D", column_id: "at" };
const day = { dataset_id: "D", column_id: "day" };
const count = { dataset_id: "D", column_id: "n", aggregation: "count" };

const openHost = () =>
  createPlainHost({
    columns: [
      { id: "n", type: "numeric" },
      { id: "at", type: "datetime" },
      { id: "day", type: "datetime", subtype: "date" },
    ],
    rows: instants.map((instant, index) => [index, instant, "2024-03-31T00:00:00.000Z"]),
  });

suite("core/queries/resolve/datesInZones", (test) => {
  const counted = async (where: object, timezone = "Europe/Brussels") => {
    const host = await openHost();
    const { data } = await host.sendQuery({
      measures: [count],
      where: [where],
      options: { timezone_id: timezone },
    });
    return data[0]?.[0];
  };
  const is = (operator: string, value: unknown, column: object = at) => ({
    expression: `? ${operator} ?`,
    parameters: [column, value],
  });

  test("a filter reads a date or time without a zone on the clock of the query, as groups do", async () => {
    assert.is(await counted(is(">=", "2024-03-31")), 4);
    assert.is(await counted(is(">=", "2024-03-31T00:00:00")), 4);
    assert.is(await counted(is(">=", "2024-03-31 00:00")), 4);
    assert.is(await counted(is("<", "2024-04-01")), 4);
    assert.is(await counted(is("=", "2024-03-31")), 1);
    assert.is(await counted(is("in", ["2024-03-31", null])), 1);
    assert.is(
      await counted({
        expression: "? between ? and ?",
        parameters: [at, "2024-03-31", "2024-04-01"],
      }),
      4,
    );
    assert.is(await counted({ expression: "? <= ?", parameters: ["2024-03-31", at] }), 4);
    assert.is(await counted(is(">=", "2024-03-31"), "UTC"), 3);
    assert.is(
      await counted(
        is(">=", { parameter: "metadata.from", type: "datetime", value: "2024-03-31" }),
      ),
      4,
    );
  });

  test("a string with a zone, and a value of a date column, mean the same in every zone", async () => {
    assert.is(await counted(is(">=", "2024-03-31T00:00:00.000Z")), 3);
    assert.is(await counted(is(">=", "2024-03-31T02:00:00+02:00")), 3);
    assert.is(await counted(is("=", "2024-03-31", day)), 5);
    assert.is(await counted(is("=", "2024-03-31", { ...day, level: 5 })), 5);
    assert.is(await counted(is("=", "2024-03-31T00:00:00", day), "America/New_York"), 5);
  });

  test("a period equals the date or the instant at which it starts", async () => {
    const ofDay = { ...at, level: 5 };
    assert.is(await counted(is("=", "2024-03-31", ofDay)), 3);
    assert.is(await counted(is("=", "2024-03-30T23:00:00.000Z", ofDay)), 3);
    assert.is(await counted(is("in", ["2024-03-01"], { ...at, level: 3 })), 4);
    assert.is(await counted(is("!=", "2024-03-31", ofDay)), 2);
  });

  test("a value inside a period fails with 400, because no period equals it", async () => {
    const host = await openHost();
    const refused = async (where: object) =>
      refusal(
        host.sendQuery({
          measures: [count],
          where: [where],
          options: { timezone_id: "Europe/Brussels" },
        }),
      );
    const { status, message } = await refused(
      is("=", "2024-03-31T00:00:00.000Z", { ...at, level: 5 }),
    );
    assert.is(status, 400);
    assert.match(
      message,
      /^where\[0\]\.parameters\[1\] is not valid: it must be the start of a day in the time zone Europe\/Brussels/,
    );
    assert.match(
      (await refused(is("in", ["2024-03-15"], { ...at, level: 3 }))).message,
      /start of a month/,
    );
    for (const wrong of ["31.03.2024", "2024-3-31", "2024-02-30", "2024-03-31T25:00"])
      assert.match((await refused(is(">=", wrong))).message, /must be an ISO date or date-time/);
  });

  test("a time that the clock skips moves forward, and of a time that occurs twice the first is meant", async () => {
    const host = await createPlainHost({
      columns: [
        { id: "n", type: "numeric" },
        { id: "at", type: "datetime" },
      ],
      rows: [
        [1, "2024-03-31T01:30:00.000Z"],
        [2, "2024-10-27T00:30:00.000Z"],
      ],
    });
    const found = async (text: string) => {
      const { data } = await host.sendQuery({
        measures: [{ ...count, aggregation: "sum" }],
        where: [is("=", text)],
        options: { timezone_id: "Europe/Brussels" },
      });
      return data[0]?.[0];
    };
    assert.is(await found("2024-03-31T02:30"), 1);
    assert.is(await found("2024-10-27T02:30"), 2);
  });

  test("row filters read strings without a zone as UTC in every query", async () => {
    const host = await openHost();
    const filters = [
      {
        clause: "where" as const,
        origin: "global" as const,
        securable_id: "D",
        column_id: "at",
        expression: "? >= ?",
        value: "2024-03-31",
      },
    ];
    const { data } = await host.askAs(embedOf({ filters }), {
      measures: [count],
      options: { timezone_id: "Europe/Brussels" },
    });
    assert.equal(data, [[3]]);
  });

  test("months of dates and months of instants are each truncated in their own sense in one query", async () => {
    const host = await createPlainHost({
      columns: [
        { id: "n", type: "numeric" },
        { id: "at", type: "datetime" },
        { id: "day", type: "datetime", subtype: "date" },
      ],
      rows: [
        [1, "2024-03-31T22:30:00.000Z", "2024-04-01T00:00:00.000Z"],
        [2, "2024-03-31T21:30:00.000Z", "2024-04-30T00:00:00.000Z"],
        [3, null, "2024-03-01T00:00:00.000Z"],
      ],
    });
    const [months, ofDates] = [
      { ...at, level: 3 },
      { ...day, level: 3 },
    ];
    const { data } = await host.sendQuery({
      dimensions: [months, ofDates],
      measures: [{ ...count, aggregation: "sum" }],
      where: [is(">=", "2024-04-01", ofDates)],
      order: [{ ...ofDates, order: "desc" }],
      options: { timezone_id: "Europe/Brussels" },
    });
    assert.equal(data, [
      ["2024-02-29T23:00:00.000Z", "2024-04-01T00:00:00.000Z", 2],
      ["2024-03-31T22:00:00.000Z", "2024-04-01T00:00:00.000Z", 1],
    ]);
    const completed = await host.sendQuery({
      dimensions: [{ ...ofDates, include_nonoccurring: true }],
      measures: [{ ...at, level: 3, aggregation: "max" }],
      options: { timezone_id: "Europe/Brussels" },
    });
    assert.equal(completed.data, [
      ["2024-03-01T00:00:00.000Z", null],
      ["2024-04-01T00:00:00.000Z", "2024-03-31T22:00:00.000Z"],
    ]);
  });
});

import * as assert from "uvu/assert";
import { relativeRange } from "../../../../core/queries/resolve/relativeRange.ts";
import type { RelativeWord } from "../../../../core/queries/parsedQuery.ts";
import type { Cell, Level } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "n", type: "numeric" },
  { id: "city", type: "hierarchy" },
  { id: "at", type: "datetime" },
  { id: "day", type: "datetime", subtype: "date" },
];
const rows: readonly (readonly Cell[])[] = [
  [1, "a", "2024-03-29T10:00:00.000Z", "2024-03-29T00:00:00.000Z"],
  [2, "a", "2024-03-31T22:30:00.000Z", "2024-04-01T00:00:00.000Z"],
  [3, "b", "2024-04-01T12:00:00.000Z", "2024-04-01T00:00:00.000Z"],
  [4, "b", "2024-04-02T22:30:00.000Z", "2024-04-03T00:00:00.000Z"],
  [5, "b", "2024-04-03T09:00:00.000Z", "2024-04-03T00:00:00.000Z"],
  [6, "b", "2024-05-20T00:00:00.000Z", "2024-05-20T00:00:00.000Z"],
  [7, "b", null, null],
];
/** The current time: a Wednesday, at 11:00 in Brussels. */
const nowMs = Date.parse("2024-04-03T09:00:00.000Z");
const levels = ["year", "quarter", "month", "week", "day", "hour", "minute"] as const;
const unitOf = (level: (typeof levels)[number]) => levels.indexOf(level) + 1;
const ref = (column_id: string) => ({ column_id, dataset_id: "D" });
const sendQuery = (column: string, expression: string, value?: unknown, more: object = {}) => ({
  dimensions: [ref("n")],
  where: [{ expression, parameters: value === undefined ? [ref(column)] : [ref(column), value] }],
  options: { timezone_id: "Europe/Brussels" },
  ...more,
});

suite("core/queries/resolve/relativeDates", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  const cases: readonly (readonly [string, unknown, readonly number[], readonly number[]])[] = [
    ["last_now", { unit: unitOf("day"), quantity: 1 }, [4, 5], [4, 5]],
    ["last_now", { unit: unitOf("day"), quantity: 2 }, [3, 4, 5], [4, 5]],
    ["last_now", { unit: unitOf("day"), quantity: -3 }, [2, 3, 4, 5], [2, 3, 4, 5]],
    ["next_now", { unit: unitOf("month"), quantity: 2 }, [5, 6], [4, 5, 6]],
    ["ago", { unit: unitOf("day"), quantity: 2 }, [2, 3], [2, 3]],
    ["ago", { unit: unitOf("day"), quantity: 0 }, [4, 5], [4, 5]],
    ["more_than_ago", { unit: unitOf("day"), quantity: 2 }, [1], [1]],
    ["or_more_ago", { unit: unitOf("day"), quantity: 2 }, [1, 2, 3], [1, 2, 3]],
    ["last_completed", { unit: unitOf("week") }, [1], [1]],
    ["last_completed", { unit: unitOf("month") }, [1], [1]],
    ["next_full", { unit: unitOf("month") }, [6], [6]],
    ["to_date", { unit: unitOf("month") }, [2, 3, 4, 5], [2, 3, 4, 5]],
    ["to_date", { unit: unitOf("day") }, [4, 5], [4, 5]],
    ["WTD", undefined, [2, 3, 4, 5], [2, 3, 4, 5]],
    ["mtd", {}, [2, 3, 4, 5], [2, 3, 4, 5]],
    ["qtd", undefined, [2, 3, 4, 5], [2, 3, 4, 5]],
    ["ytd", undefined, [1, 2, 3, 4, 5], [1, 2, 3, 4, 5]],
    ["last_available", { unit: unitOf("day"), quantity: 48 }, [4, 5, 6], [4, 5, 6]],
  ];

  test("every relative date keeps the expected rows by the clock of the time zone, on every kind of source", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows, now: () => nowMs }))
      for (const [word, value, instants, dates] of cases) {
        const about = `${name}: ${word} ${JSON.stringify(value)}`;
        const kept = async (column: string) =>
          (await host.sendQuery(sendQuery(column, word, value))).data.map(([cell]) => cell);
        assert.equal(await kept("at"), instants, about);
        assert.equal(await kept("day"), dates, `${about} of dates`);
      }
  });

  test("all queries of a call use the same instant for `now`", async () => {
    let reads = 0;
    const now = () => nowMs + 86_400_000 * 47 * reads++;
    const host = await createPlainHost({ columns, rows, now });
    const query = sendQuery("at", "last_now", { unit: unitOf("day"), quantity: 1 });
    const answers = await host.askAll([query, query]);
    assert.equal(
      answers.map(({ data }) => data),
      [
        [[4], [5]],
        [[4], [5]],
      ],
    );
    assert.is(reads, 1);
  });

  test("`last_available` uses only the rows that the caller may see", async () => {
    const value = { unit: unitOf("day"), quantity: 1 };
    for (const capabilities of [undefined, {}]) {
      const host = await createPlainHost({
        columns,
        rows,
        now: () => nowMs,
        source: createPlainPlugin(capabilities),
      });
      const query = sendQuery("at", "last_available", value);
      assert.equal((await host.sendQuery(query)).data, [[6]]);
      const principal = embedOf({ filters: [rowFilter("city", "? = ?", "a")] });
      assert.equal((await host.askAs(principal, query)).data, [[2]]);
      const nobody = embedOf({ filters: [rowFilter("city", "? = ?", "nowhere")] });
      assert.equal((await host.askAs(nobody, query)).data, []);
    }
  });

  test("relative dates work in nested groups of conditions and for the latest value of a group", async () => {
    const host = await createPlainHost({ columns, rows, now: () => nowMs });
    const where = [
      {
        or: [
          { expression: "ago", parameters: [ref("day"), { unit: unitOf("day"), quantity: 5 }] },
          { expression: "next_full", parameters: [ref("at"), { unit: unitOf("month") }] },
        ],
      },
    ];
    assert.equal((await host.sendQuery({ dimensions: [ref("n")], where })).data, [[1], [6]]);
    const having = [
      {
        expression: "more_than_ago",
        parameters: [
          { ...ref("at"), aggregation: "max" },
          { unit: unitOf("day"), quantity: 1 },
        ],
      },
    ];
    const cities = { dimensions: [ref("city")], having };
    assert.equal((await host.sendQuery(cities)).data, [[{ id: "a", name: { en: "a" } }]]);
  });

  test("ranges of whole periods have no gaps or overlaps, and rolling ranges have their exact length", () => {
    const zones = ["UTC", "Europe/Brussels", "America/Sao_Paulo", "Australia/Lord_Howe"];
    for (const timezone of zones)
      for (const unit of levels)
        for (const anchorMs of [nowMs, Date.parse("2024-10-27T00:30:00.000Z"), -1]) {
          const about = `${timezone} ${unit} ${anchorMs}`;
          const range = (word: RelativeWord, quantity: number) =>
            relativeRange({
              word,
              unit: unit satisfies Level,
              quantity,
              anchorMs,
              timezone,
              isDate: false,
            });
          for (const quantity of [1, 2, 5]) {
            const ago = range("ago", quantity);
            assert.is(range("more_than_ago", quantity)?.to?.at, ago?.from?.at, about);
            assert.is(range("or_more_ago", quantity)?.to?.at, ago?.to?.at, about);
            assert.is(range("ago", quantity - 1)?.from?.at, ago?.to?.at, about);
            assert.is(range("last_completed", quantity)?.from?.at, ago?.from?.at, about);
          }
          assert.is(range("to_date", 1)?.from?.at, range("last_completed", 3)?.to?.at, about);
          assert.is(range("last_now", 1)?.to?.at, anchorMs, about);
          assert.is(range("next_now", 1)?.from?.at, anchorMs, about);
        }
  });

  test("a relative date with an invalid value fails with 400, and the error names the value", async () => {
    const host = await createPlainHost({ columns, rows, now: () => nowMs });
    const day = { unit: unitOf("day") };
    const wrong: readonly (readonly [object, RegExp])[] = [
      [sendQuery("city", "ago", day), /where\[0\]\.expression.*ago must have a datetime column/],
      [sendQuery("city", "last_available", day), /last_available must have a datetime column/],
      [
        sendQuery("day", "ago", { unit: unitOf("hour") }),
        /parameters\[1\]\.unit.*dates without a time/,
      ],
      [sendQuery("at", "ago", { unit: 1, quantity: 1_000_000 }), /quantity.*end of the calendar/],
      [
        {
          dimensions: [ref("n")],
          where: [{ expression: "ago", parameters: [{ ...ref("at"), level: 3 }, day] }],
        },
        /parameters\[0\]\.level.*leave the level out/,
      ],
    ];
    for (const [query, message] of wrong) {
      const refused = await refusal(host.sendQuery(query));
      assert.match(refused.message, message);
      assert.is(refused.code, "MEMBER_INVALID");
    }
  });
});

import * as assert from "uvu/assert";
import { openStore, type Store } from "../../../engine/index.ts";
import { periods } from "../../../engine/types.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { truncate } from "../referenceEngine.ts";
import { makeFolder, toCells } from "../tables.ts";

const zones = [
  "UTC",
  "Europe/Brussels",
  "America/New_York",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "America/St_Johns",
];
const hourMs = 3_600_000;

/** Returns instants in a span that starts at `from`. Most of them are at the edge of a period in some zone. */
function makeInstants(random: Random, from: number, spanMs: number): number[] {
  return Array.from({ length: 500 }, () => {
    const instant = from + Math.floor((random.below(2 ** 30) / 2 ** 30) * spanMs);
    if (random.chance(0.3)) return instant;
    const zone = random.pick(zones);
    const period = random.pick(["year", "quarter", "month", "week", "day", "hour"] as const);
    return Math.max(from, truncate(instant, period, zone) + random.pick([0, 0, -1, 1]));
  });
}

suite("engine/store/periods", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({
      dir: folder.path,
      workers: rounds({ quick: 1, deep: 2 }),
      memoryBytes: 2 ** 28,
    });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  for (const [title, rowCount, from, spanMs] of [
    ["80 years of a full row group", 65_536, Date.UTC(1955, 0, 1), 29_220 * 24 * hourMs],
    ["80 years of unsealed rows", 3000, Date.UTC(1955, 0, 1), 29_220 * 24 * hourMs],
    ["one year of a full row group", 65_536, Date.UTC(2024, 0, 1), 366 * 24 * hourMs],
    ["a day that a clock enters twice", 4000, Date.UTC(2009, 9, 31), 48 * hourMs],
    ["three days of a full row group and one row", 65_537, Date.UTC(2024, 2, 30), 72 * hourMs],
  ] as const)
    (/80 years|one year/.test(title) ? test.deep : test)(
      `the store groups ${title} correctly by every period in every zone`,
      async () => {
        const random = createRandom();
        await withSeed(random, async () => {
          const instants = makeInstants(random, from, spanMs);
          const picks = Array.from({ length: rowCount }, () => random.below(instants.length));
          const values = Float64Array.from(picks, (pick) => instants[pick]);
          const rowCounts = instants.map(() => 0);
          for (const pick of picks) rowCounts[pick]++;
          const definition = { name: "when", type: "datetime" } as const;
          await store.create({ name: "t", columns: [definition], temporary: true });
          const batch = { rowCount, columns: [{ type: "datetime" as const, values }] };
          await store.append({ table: "t", rows: { names: ["when"], batch } });
          for (const [index, period] of periods.entries())
            for (const timezone of zones.filter(
              (_, place) =>
                place % rounds({ quick: 4, deep: 1 }) ===
                (index % 4) % rounds({ quick: 4, deep: 1 }),
            )) {
              const of = { kind: "column", name: "when" } as const;
              const answer = await store.query({
                table: "t",
                grouped: true,
                outputs: [
                  { kind: "key", of: { kind: "period", of, period, timezone } },
                  { kind: "aggregate", function: "rows" },
                ],
                order: [{ output: 0, descending: false }],
              });
              const counts = new Map<number, number>();
              for (const [place, instant] of instants.entries()) {
                if (rowCounts[place] === 0) continue;
                const start = truncate(instant, period, timezone);
                counts.set(start, (counts.get(start) ?? 0) + rowCounts[place]);
              }
              const expected = [...counts].sort(([left], [right]) => left - right);
              assert.equal(toCells(answer), expected, `${period} ${timezone}`);
            }
          await store.drop({ table: "t" });
        });
      },
    );
});

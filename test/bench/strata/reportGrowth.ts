import { atMost, type Bar } from "../bars.ts";
import type { MeasuredQuery } from "./measureQueries.ts";
import { geometricMean, shownMs, spreadOn, table } from "./report.ts";

/** Reports how the time of each query grows from the small to the large table, compared with the growth of the rows. */
export function reportGrowth({
  small,
  large,
  rowCounts,
  print,
}: {
  readonly small: readonly MeasuredQuery[];
  readonly large: readonly MeasuredQuery[];
  readonly rowCounts: readonly [small: number, large: number];
  readonly print: (line: string) => void;
}): { readonly report: unknown; readonly bars: readonly Bar[] } {
  const [fewer, more] = rowCounts.map((count) => `${count / 1e6} million`);
  const rowGrowth = rowCounts[1] / rowCounts[0];
  const rows = large.flatMap((each) => {
    const { name } = each.query;
    const before = small.find(({ query }) => query.name === name);
    const smallMs = before && spreadOn(before, "strata")?.median;
    const largeMs = spreadOn(each, "strata")?.median;
    if (smallMs === undefined || largeMs === undefined) return [];
    return [{ name, smallMs, largeMs, share: largeMs / smallMs / rowGrowth }];
  });
  print(`\n  growth: ${rowGrowth} times the rows`);
  print(
    table(
      ["query", fewer!, more!, "times", "per row"],
      rows.map(({ name, smallMs, largeMs, share }) => [
        name,
        shownMs(smallMs),
        shownMs(largeMs),
        (share * rowGrowth).toFixed(1),
        share.toFixed(2),
      ]),
    ),
  );
  const shares = rows.map(({ share }) => share);
  const isComplete = rows.length === large.length;
  return {
    report: rows,
    bars: [
      atMost(
        `growth of query time from ${fewer} to ${more} rows, relative to the growth of the rows, mean`,
        isComplete ? geometricMean(shares) : undefined,
        1,
      ),
      atMost(
        `the same for the query that grew most`,
        isComplete ? Math.max(...shares) : undefined,
        1,
      ),
    ],
  };
}

import { shownSpread, spreadOf } from "../spread.ts";
import { atMost, type Bar } from "../bars.ts";
import { bytesPerRowOf } from "./bytesPerRow.ts";
import { inProcess } from "./inProcess.ts";
import type { ColumnSize } from "./measureColumns.ts";
import { createQueries } from "./queries.ts";

const queryNames = ["Q2", "Q13"];

/**
 * Opens the closed store in fresh processes and measures the first query, both right after opening and after a warm-up
 * as in a host. For comparison, reads as many bytes of the store's files as the query's columns contain. The files are
 * in the system's page cache in both cases, because no portable way exists to empty it.
 */
export async function measureCold({
  dir,
  rowCount,
  sizes,
  repeats,
  print,
}: {
  readonly dir: string;
  readonly rowCount: number;
  readonly sizes: readonly ColumnSize[];
  readonly repeats: number;
  readonly print: (line: string) => void;
}): Promise<{ readonly report: unknown; readonly bars: readonly Bar[] }> {
  print("\n  cold, milliseconds                                     median       min       max");
  const bars: Bar[] = [];
  const report: Record<string, unknown> = {};
  for (const name of queryNames) {
    const query = createQueries().find((each) => each.name === name);
    if (!query) throw new Error(`query ${name} does not exist`);
    const sizeBytes = Math.round(bytesPerRowOf(query.plan, sizes) * rowCount);
    const opens: number[] = [];
    const firsts: number[] = [];
    const warms: number[] = [];
    const warmedFirsts: number[] = [];
    const reads: number[] = [];
    for (let index = 0; index < repeats; index++) {
      const runFirst = (isWarmed: boolean) =>
        inProcess((child) => child.run("cold", { dir, query, isWarmed }));
      const cold = await runFirst(false);
      opens.push(cold.openMs);
      firsts.push(cold.queryMs);
      const warmed = await runFirst(true);
      warms.push(warmed.warmMs);
      warmedFirsts.push(warmed.queryMs);
      reads.push((await inProcess((child) => child.run("read", { dir, sizeBytes }))).ms);
    }
    const show = (title: string, durations: readonly number[]) =>
      print(`  ${title.padEnd(52)} ${shownSpread(spreadOf(durations))}`);
    show("opening the store", opens);
    show(`${name}, first query after opening`, firsts);
    show("warming up the opened store, which reads no column", warms);
    show(`${name}, first query after warming up`, warmedFirsts);
    show(`reading its ${(sizeBytes / 2 ** 20).toFixed(1)} MiB`, reads);
    bars.push(
      atMost(
        `${name} as first query after opening and warming up, relative to reading its bytes`,
        spreadOf(warmedFirsts).median / spreadOf(reads).median,
        2,
      ),
    );
    report[name] = { opens, firsts, warms, warmedFirsts, reads, sizeBytes };
  }
  return { report, bars };
}

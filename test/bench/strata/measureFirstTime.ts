import { mkdirSync } from "node:fs";
import { atMost, type Bar } from "./bars.ts";
import { inProcess } from "./inProcess.ts";

/** Compares the first with the second run of many shapes over 1,000,000 rows, in a fresh process. */
export async function measureFirstTime(
  dir: string,
  seed: number,
  print: (line: string) => void,
): Promise<{ readonly report: unknown; readonly bars: readonly Bar[] }> {
  mkdirSync(dir);
  const found = await inProcess((child) =>
    child.run("firstTime", { dir, rowCount: 1_000_000, seed }),
  );
  const at = (share: number, extraMs = found.extraMs) =>
    extraMs[Math.floor((extraMs.length - 1) * share)];
  const show = (title: string, extraMs: readonly number[]) =>
    print(
      `  ${title}, ${extraMs.length} shapes on 1 million rows: ${[0.5, 0.9, 1].map((share) => `${at(share, extraMs)?.toFixed(2)} ms`).join(", ")} more than the second time (median, 90 %, worst)`,
    );
  print("");
  show("a shape seen for the first time", found.extraMs);
  show("the same over a second table, whose texts alone are new", found.dataExtraMs);
  print(`  the worst: ${found.worst}`);
  return {
    report: found,
    bars: [
      atMost("a new shape costs more than a known one, median of the shapes", at(0.5), 1, "ms"),
      atMost("a new shape costs more than a known one, 90 % of the shapes", at(0.9), 1, "ms"),
    ],
  };
}

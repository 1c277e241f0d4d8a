import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { spreadOf } from "../spread.ts";
import { atMost, type Bar } from "../bars.ts";
import type { FirstTime, FirstTimes } from "./firstTime.ts";
import { inProcess } from "./inProcess.ts";

/**
 * Number of stores, each in a fresh process. A pause of the machine affects a different shape in each process, whereas
 * the cost of a first run appears in every process.
 */
const processCount = 3;

/** Compares the first run of many query shapes over 1,000,000 rows with their later runs, in fresh processes. */
export async function measureFirstTime(
  dir: string,
  seed: number,
  print: (line: string) => void,
): Promise<{ readonly report: unknown; readonly bars: readonly Bar[] }> {
  const runs: FirstTimes[] = [];
  for (let index = 0; index < processCount; index++) {
    const own = join(dir, String(index));
    mkdirSync(own, { recursive: true });
    const request = { dir: own, rowCount: 1_000_000, seed };
    runs.push(await inProcess((child) => child.run("firstTime", request)));
  }
  const found: FirstTimes = {
    newShapes: mediansOf(runs.map(({ newShapes }) => newShapes)),
    newData: mediansOf(runs.map(({ newData }) => newData)),
  };
  const show = (title: string, data: "newShapes" | "newData") => {
    const times = found[data];
    const shown = [
      ["the first run minus the median of the second to the sixth", times, "extraMs"],
      ["control: the second run minus the median of the third to the sixth", times, "controlMs"],
      [
        "in a single process, the first run minus the second one",
        runs[0]?.[data] ?? [],
        "toSecondMs",
      ],
    ] as const;
    print(
      `\n  ${`${title}, ${times.length} shapes, ms, median of ${processCount} processes`.padEnd(76)}  median      90 %     worst`,
    );
    for (const [what, of, name] of shown) {
      const shares = [0.5, 0.9, 1].map((share) => at(of, name, share).toFixed(2).padStart(10));
      print(`    ${what.padEnd(72)}${shares.join("")}`);
    }
  };
  show("run for the first time", "newShapes");
  show("the same over a second table, in which only the strings are new", "newData");
  const [worst] = found.newShapes.toSorted((one, other) => other.extraMs - one.extraMs);
  print(`  the worst: ${worst?.shape}`);
  const bar = (title: string, share: number) => {
    const [extra, control] = (["extraMs", "controlMs"] as const).map((name) =>
      at(found.newShapes, name, share),
    );
    const compared = `${title} (control ${control?.toFixed(2)} ms)`;
    return atMost(`a new shape costs more than a known one, ${compared}`, extra, 1, "ms");
  };
  return {
    report: { ...found, runs },
    bars: [bar("median of the shapes", 0.5), bar("90 % of the shapes", 0.9)],
  };
}

type Figure = Exclude<keyof FirstTime, "shape">;

/** Returns the median cost of each shape over several processes that run the same shapes. */
function mediansOf(runs: readonly (readonly FirstTime[])[]): readonly FirstTime[] {
  const [first = []] = runs;
  return first.map(({ shape }, index) => {
    const median = (name: Figure) =>
      spreadOf(runs.flatMap((times) => times[index]?.[name] ?? [])).median;
    return {
      shape,
      extraMs: median("extraMs"),
      controlMs: median("controlMs"),
      toSecondMs: median("toSecondMs"),
    };
  });
}

/** Returns the cost that the fraction `share` of the shapes does not exceed. */
function at(times: readonly FirstTime[], name: Figure, share: number): number {
  const sorted = times.map((time) => time[name]).toSorted((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? NaN;
}

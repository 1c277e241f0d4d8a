import { createRandom } from "../../support/random.ts";
import { atLeast, atMost, type Bar } from "../bars.ts";
import { drawMixed, type CallFigures } from "./callAtOnce.ts";
import { measureQueries } from "./measureQueries.ts";
import type { BenchProcess } from "./startProcess.ts";
import type { SystemName } from "./systems/system.ts";

const callers = 32;

/** Measures one system after another with 32 callers. Before that, compares some of the system's answers. */
export async function measureCallers(
  processes: ReadonlyMap<SystemName, BenchProcess>,
  seed: number,
  print: (line: string) => void,
): Promise<{ readonly report: unknown; readonly bars: readonly Bar[] }> {
  const random = createRandom(seed);
  const samples = Array.from({ length: 8 }, () => drawMixed(random));
  const compared = await measureQueries(processes, samples, { warmUps: 0, repeats: 1 }, () => {});
  print(`\n  ${callers} callers                answers/s   median ms      p99 ms`);
  const figures = new Map<SystemName, CallFigures>();
  for (const [name, process] of processes) {
    const refusal = compared.map(({ systems }) => systems.get(name)?.refusal).find(Boolean);
    if (refusal) {
      print(`  ${name.padEnd(22)} was not measured: ${refusal}`);
      continue;
    }
    const found = await process.run("callAtOnce", {
      callers,
      seed,
      warmUpMs: 2000,
      measureMs: 6000,
    });
    figures.set(name, found);
    print(
      `  ${name.padEnd(22)}${found.answersPerSecond.toFixed(1).padStart(12)}${found.medianMs.toFixed(1).padStart(12)}${found.p99Ms.toFixed(1).padStart(12)}`,
    );
  }
  const ours = figures.get("strata");
  const best = Math.max(
    ...[...figures].flatMap(([name, each]) => (name === "strata" ? [] : [each.answersPerSecond])),
  );
  return {
    report: Object.fromEntries(figures),
    bars: [
      atLeast(
        "32 callers, answers per second relative to the best peer",
        ours && best > 0 ? ours.answersPerSecond / best : undefined,
        5,
      ),
      atMost("32 callers, p99 of response times", ours?.p99Ms, 100, "ms"),
    ],
  };
}

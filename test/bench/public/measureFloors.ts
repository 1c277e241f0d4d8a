import { bytesPerRowOf } from "../strata/bytesPerRow.ts";
import { inProcess } from "../strata/inProcess.ts";
import type { BenchProcess } from "../strata/startProcess.ts";
import { warmFloorMsOf } from "../strata/bandwidth.ts";
import { spreadOf } from "../spread.ts";
import type { MeasuredQuestion } from "./measurePart.ts";
import { planOf } from "./planOf.ts";
import type { PublicJobs } from "./publicJobs.ts";
import type { PublicPart } from "./publicPart.ts";
import type { WrittenTable } from "./systems/publicSystem.ts";

/** How many of the slowest questions are compared with the floor. */
const slowestCount = 5;

export interface FloorRequest {
  readonly part: PublicPart;
  readonly tables: readonly WrittenTable[];
  readonly measured: readonly MeasuredQuestion[];
  readonly engine: BenchProcess<PublicJobs>;
  readonly rowCount: number;
  readonly print: (line: string) => void;
}

/**
 * Prints the memory floor of the slowest questions: the time in which two threads read the stored bytes of the columns
 * once, without dictionaries and joined tables. Destroys the tables of the engine.
 */
export async function measureFloors(request: FloorRequest): Promise<void> {
  const { part, tables, measured, engine, rowCount, print } = request;
  const bandwidth = await inProcess((child) => child.run("bandwidth"));
  const slowest = measured
    .filter(({ sides }) => sides.get("host")?.refusal === undefined)
    .map(({ question, sides }) => ({ question, ms: spreadOf(sides.get("host")!.wall).median }))
    .toSorted((one, other) => other.ms - one.ms)
    .slice(0, slowestCount);
  const sizes = new Map<string, Awaited<ReturnType<PublicJobs["measureColumns"]>>>();
  for (const table of tables)
    if (slowest.some(({ question }) => question.table === table.name))
      sizes.set(table.name, await engine.run("measureColumns", table));
  print("\n  slowest questions, ms        host     floor     times   bytes per row");
  for (const { question, ms } of slowest) {
    const formulaFree = {
      ...question,
      measures: question.measures.filter(({ kind }) => kind === "aggregate"),
    };
    const plan = planOf(formulaFree, part);
    const bytes = plan ? bytesPerRowOf(plan, sizes.get(question.table) ?? []) : 0;
    const floorMs = warmFloorMsOf(bytes * rowCount, bandwidth);
    print(
      `  ${question.name.padEnd(20)}${[ms, floorMs, ms / floorMs, bytes].map((figure) => figure.toFixed(1).padStart(11)).join("")}`,
    );
  }
}

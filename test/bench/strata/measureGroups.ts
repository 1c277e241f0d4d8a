import { mkdirSync } from "node:fs";
import type { Bar } from "../bars.ts";
import type { CurvePoint } from "./groupCurve.ts";
import { inProcess } from "./inProcess.ts";

/** The options of the part `groups`. */
interface GroupsRequest {
  readonly dir: string;
  readonly rowCount: number;
  readonly seed: number;
  readonly repeats: number;
  readonly print: (line: string) => void;
}

/** Measures and shows how the cost of grouping grows with the number of values, in processor time. */
export async function measureGroups({
  dir,
  rowCount,
  seed,
  repeats,
  print,
}: GroupsRequest): Promise<{
  readonly report: readonly CurvePoint[];
  readonly bars: readonly Bar[];
}> {
  mkdirSync(dir, { recursive: true });
  const points = await inProcess((child) =>
    child.run("groupCurve", { dir, rowCount, seed, repeats }),
  );
  print("\n  least processor time in ms         values     store    duckdb     ratio");
  for (const { family, size, ownMs, duckdbMs } of points)
    print(
      `  ${family.padEnd(33)}${String(size).padStart(8)}${ownMs.toFixed(0).padStart(10)}${duckdbMs.toFixed(0).padStart(10)}${(duckdbMs / ownMs).toFixed(2).padStart(10)}`,
    );
  return { report: points, bars: [] };
}

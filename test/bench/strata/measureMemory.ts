import { cpSync, rmSync } from "node:fs";
import { atMost, type Bar } from "../bars.ts";
import { inProcess } from "./inProcess.ts";
import type { ColumnSize } from "./measureColumns.ts";
import { table } from "./report.ts";

export interface MemoryReport {
  /** Memory of the whole table in bytes, including dictionaries. */
  readonly memoryBytes: number;
  readonly columns: readonly ColumnSize[];
}

/**
 * Measures the memory of a closed store's columns. It works on a copy of the store's files, because measuring drops the
 * columns.
 */
export async function measureMemory(
  dir: string,
  rowCount: number,
  print: (line: string) => void,
): Promise<{ readonly report: MemoryReport; readonly bars: readonly Bar[] }> {
  const copy = `${dir}-copy`;
  cpSync(dir, copy, { recursive: true });
  try {
    const report = await inProcess((child) => child.run("measureColumns", { dir: copy }));
    const bytesPerRow = report.columns.reduce((sum, each) => sum + each.bytesPerRow, 0);
    print(
      `\n  memory: ${(report.memoryBytes / rowCount).toFixed(1)} bytes per row with dictionaries, ${bytesPerRow.toFixed(1)} without`,
    );
    print(
      table(
        ["column", "bytes per row", "dictionary MiB"],
        report.columns.map((each) => [
          each.name,
          each.bytesPerRow.toFixed(2),
          (each.dictionaryBytes / 2 ** 20).toFixed(1),
        ]),
      ),
    );
    return {
      report,
      bars: [atMost("memory per row without dictionaries", bytesPerRow, 45, "bytes")],
    };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

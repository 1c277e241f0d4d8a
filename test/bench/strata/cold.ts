import { closeSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import type { BenchQuery } from "./benchQuery.ts";
import { openBenchStore } from "./systems/openStrataStore.ts";

/** Opens a store that another process has closed, warms it up if requested, and measures one query. */
export async function runCold({ dir, query, isWarmed }: ColdRequest): Promise<ColdTimes> {
  const startedAt = performance.now();
  const store = await openBenchStore(dir);
  const openedAt = performance.now();
  if (isWarmed) await store.warm();
  const warmedAt = performance.now();
  const { rowCount } = await store.query(query.plan);
  const answeredAt = performance.now();
  await store.close();
  return {
    openMs: openedAt - startedAt,
    warmMs: warmedAt - openedAt,
    queryMs: answeredAt - warmedAt,
    rowCount,
  };
}

export interface ColdRequest {
  readonly dir: string;
  readonly query: BenchQuery;
  readonly isWarmed: boolean;
}

interface ColdTimes {
  readonly openMs: number;
  readonly warmMs: number;
  readonly queryMs: number;
  readonly rowCount: number;
}

const pieceBytes = 1 << 20;

/**
 * Reads `sizeBytes` bytes of the store's files into new memory, largest files first. Returns the time in milliseconds.
 */
export function readBytes({
  dir,
  sizeBytes,
}: {
  readonly dir: string;
  readonly sizeBytes: number;
}): { readonly ms: number } {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, size: statSync(path).size }))
    .toSorted((one, other) => other.size - one.size);
  const target = new Uint8Array(sizeBytes);
  const startedAt = performance.now();
  let done = 0;
  for (const { path } of files) {
    const descriptor = openSync(path, "r");
    while (done < sizeBytes) {
      const count = readSync(
        descriptor,
        target,
        done,
        Math.min(pieceBytes, sizeBytes - done),
        null,
      );
      if (count === 0) break;
      done += count;
    }
    closeSync(descriptor);
  }
  const ms = performance.now() - startedAt;
  if (done < sizeBytes) throw new Error(`the files contain ${done} bytes instead of ${sizeBytes}`);
  return { ms };
}

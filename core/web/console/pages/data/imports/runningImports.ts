import type { FileImport } from "./fileImport.ts";

/** The imports that continue while the reader visits other pages. */
const running = new Set<FileImport>();

/** Starts an import that continues when its page is left. */
export function startImport(started: FileImport): Promise<void> {
  running.add(started);
  return started.run().finally(() => running.delete(started));
}

/** Returns the imports that have not finished, the oldest first. */
export const runningImports = (): readonly FileImport[] => [...running];

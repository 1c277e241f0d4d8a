import type { Compilation, Vector } from "../rows/compilation.ts";
import { SharedVectors } from "../rows/sharedVectors.ts";
import type { VectorSource } from "../rows/vectorSource.ts";
import type { Workspace } from "../task/workspace.ts";
import { compileMask } from "./masks.ts";

/** Starts to compile the expressions of a scan, none of which is shared yet. */
export function openCompilation(source: VectorSource, workspace: Workspace): Compilation {
  return { source, workspace, maskOf: compileMask, shared: new SharedVectors<Vector>() };
}

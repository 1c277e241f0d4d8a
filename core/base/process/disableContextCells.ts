import { setFlagsFromString } from "node:v8";

/** The first major version of Node.js whose V8 stores variables of closures in context cells. */
const firstVersion = 26;

/**
 * Turns off an optimization of V8 that computes wrong results
 * ([why](../../../docs/decisions/variables-of-closures.md)). It affects all threads of the process, and functions that
 * are compiled later, so call it early. Does nothing in older versions of Node.js, which do not have it.
 */
export function disableContextCells(): void {
  if (Number.parseInt(process.versions.node) >= firstVersion)
    setFlagsFromString("--no-function-context-cells");
}

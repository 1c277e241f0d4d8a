import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects the garbage of this thread at once: V8 does not count shared memory, so a thread that rests would keep a memory
 * that nobody knows for good. V8 offers `gc` to contexts that are made once the flag is set.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

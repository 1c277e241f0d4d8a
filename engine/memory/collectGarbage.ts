import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects the garbage of this thread immediately. V8 does not count shared memory, so an idle thread would keep
 * unreferenced memory forever. V8 offers `gc` only to contexts that are created after the flag is set.
 */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

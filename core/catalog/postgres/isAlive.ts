import { codeOf } from "../../base/index.ts";

/** Returns whether a process exists, even if another user runs it. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (failure) {
    return codeOf(failure) === "EPERM";
  }
}

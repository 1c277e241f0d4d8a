import { codeOf } from "../../errors.ts";

/** Tells whether a process exists, also one of another user. */
export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (failure) {
    return codeOf(failure) === "EPERM";
  }
}

import { messageOf } from "../../../../core/base/errors.ts";

/** Returns the message of the error with which a promise rejects. */
export async function problemOf(run: Promise<unknown>): Promise<string> {
  return run.then(() => "nothing was refused", messageOf);
}

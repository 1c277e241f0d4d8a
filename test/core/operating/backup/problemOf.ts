import { messageOf } from "../../../../core/base/errors.ts";

/** Returns the message with which a promise rejects. */
export async function problemOf(run: Promise<unknown>): Promise<string> {
  return run.then(() => "nothing was refused", messageOf);
}

import { messageOf } from "../../../../core/base/errors.ts";

/** The message with which work fails. */
export async function problemOf(run: Promise<unknown>): Promise<string> {
  return run.then(() => "nothing was refused", messageOf);
}

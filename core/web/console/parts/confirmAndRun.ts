import { confirm } from "./confirm.ts";
import { notify, notifyFailure } from "./notify.ts";

export interface ConfirmedRun {
  /** Label of the button, a verb such as "Delete dataset". Also the title of the dialog if no title is given. */
  readonly action: string;
  readonly title?: string;
  /** Describes the consequences. A function can first fetch their counts. */
  readonly text: string | (() => Promise<string>);
  /** Notice shown after the action; absent for no notice. */
  readonly done?: string;
  run(): Promise<unknown>;
}

/**
 * Runs an action that cannot be undone after the reader confirms it. Returns whether the action succeeded. A failure is
 * shown as a notice.
 */
export async function confirmAndRun({ action, title = action, text, done, run }: ConfirmedRun) {
  try {
    const follows = typeof text === "string" ? text : await text();
    if (!(await confirm({ title, text: follows, action, isDangerous: true }))) return false;
    await run();
    if (done !== undefined) notify({ text: done });
    return true;
  } catch (failure) {
    notifyFailure(failure);
    return false;
  }
}

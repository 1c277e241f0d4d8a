import { confirm } from "./confirm.ts";
import { notify, notifyFailure } from "./notify.ts";

export interface ConfirmedRun {
  /** The verb on the button, such as "Delete dataset". It is the title where there is no other. */
  readonly action: string;
  readonly title?: string;
  /** Says what follows; a function counts it first. */
  readonly text: string | (() => Promise<string>);
  /** The notice once it is done; none when left out. */
  readonly done?: string;
  run(): Promise<unknown>;
}

/** Carries out what cannot be undone, once the reader agrees. Returns whether it is done; a failure is a notice. */
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

import { confirmAndRun, type ConfirmedRun, type ConsoleContext } from "../parts/index.ts";
import type { RecordAction } from "./recordKind.ts";
import { words } from "./words.ts";

export interface DeleteOptions extends Pick<ConfirmedRun, "text"> {
  readonly context: Pick<ConsoleContext, "api" | "router">;
  readonly resource: string;
  readonly id: string;
  readonly name: string;
  /** Address of the list that is shown after the deletion. */
  readonly path: string;
  /** Label of the button, a verb such as "Delete group". */
  readonly label: string;
}

/**
 * Returns the action that deletes a record. The reader first confirms the consequences, and then returns to the list.
 */
export const deleteRecord = ({
  context: { api, router },
  resource,
  id,
  name,
  path,
  label,
  text,
}: DeleteOptions): RecordAction => ({
  label,
  look: "danger",
  async run() {
    const isDone = await confirmAndRun({
      action: label,
      title: words.deleteNamed(name),
      text,
      done: words.deleted(name),
      run: () => api.remove(resource, id),
    });
    if (isDone) router.go(path, { replaces: true });
    return false;
  },
});

import type { TemplateResult } from "lit";
import { openDialog, type DialogOptions } from "./openDialog.ts";
import { errorState, loadingState } from "./states.ts";

export interface LoadedDialogOptions<Value> extends Pick<DialogOptions<void>, "title" | "isWide"> {
  /** Fetches what the dialog shows. Called again if the reader retries after a failure. */
  read(): Promise<Value>;
  body(value: Value): TemplateResult;
}

/**
 * Opens a dialog that shows a fetched value, and a loading state or the failure until then. Resolves when it closes.
 */
export async function openLoadedDialog<Value>({
  title,
  isWide = false,
  read,
  body,
}: LoadedDialogOptions<Value>): Promise<void> {
  let found: { readonly value: Value } | undefined;
  let failure: unknown;
  let isAsked = false;
  const load = async (redraw: () => void): Promise<void> => {
    isAsked = true;
    failure = undefined;
    try {
      found = { value: await read() };
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  await openDialog({
    title,
    isWide,
    body(dialog) {
      const redraw = () => dialog.redraw();
      if (!isAsked) void load(redraw);
      if (failure !== undefined) return errorState(failure, () => void load(redraw));
      return found ? body(found.value) : loadingState();
    },
  });
}

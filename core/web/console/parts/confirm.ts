import { html } from "lit";
import { openForm, type FormOptions } from "./openForm.ts";

export interface ConfirmOptions extends Pick<
  FormOptions<true>,
  "title" | "action" | "isDangerous"
> {
  readonly text: string;
}

/** Asks the reader to confirm an action that cannot be undone. Returns whether the reader confirmed it. */
export async function confirm({ text, ...said }: ConfirmOptions): Promise<boolean> {
  const body = () => html`<p>${text}</p>`;
  return (await openForm<true>({ ...said, body, save: async () => true })) === true;
}

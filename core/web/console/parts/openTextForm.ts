import { openForm, type FormOptions } from "./openForm.ts";
import { textField } from "./textField.ts";

export interface TextFormOptions<Saved> extends Pick<FormOptions<Saved>, "title" | "action"> {
  readonly label: string;
  readonly hint?: string;
  readonly value?: string;
  /** Stores the text. If the promise rejects, the message is shown at the field. */
  save(text: string): Promise<Saved>;
}

/**
 * Opens a form for one line of text and stores it. Returns the stored value; undefined if the reader closes the dialog.
 */
export function openTextForm<Saved>(options: TextFormOptions<Saved>): Promise<Saved | undefined> {
  const { title, label, hint, action, save } = options;
  let text = options.value ?? "";
  return openForm<Saved>({
    title,
    action,
    isComplete: () => text.trim() !== "",
    body: ({ wrong }) =>
      textField({
        id: "asked-text",
        label,
        hint,
        value: text,
        wrong,
        onInput: (value) => (text = value),
      }),
    save: () => save(text.trim()),
  });
}

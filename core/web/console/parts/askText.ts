import { html } from "lit";
import { openDialog } from "./openDialog.ts";
import { textField } from "./textField.ts";
import { words } from "./words.ts";

export interface AskTextOptions<Saved> {
  readonly title: string;
  readonly label: string;
  readonly hint?: string;
  /** The verb on the button. */
  readonly action: string;
  readonly value?: string;
  /** Stores the text; a refusal is shown at the field. */
  save(text: string): Promise<Saved>;
}

/** Asks for one line of text, and stores it. Returns what was stored; undefined when the reader closes the dialog. */
export function askText<Saved>(options: AskTextOptions<Saved>): Promise<Saved | undefined> {
  const { title, label, hint, action, save } = options;
  let text = options.value ?? "";
  let wrong = "";
  return openDialog<Saved>({
    title,
    body: (dialog) =>
      textField({
        id: "asked-text",
        label,
        hint,
        value: text,
        wrong,
        onInput(value) {
          text = value;
          dialog.redraw();
        },
      }),
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${text.trim() === ""}
          @click=${() =>
            void save(text.trim()).then(
              (saved) => dialog.close(saved),
              (failure: unknown) => {
                wrong = failure instanceof Error ? failure.message : String(failure);
                dialog.redraw();
              },
            )}
        >
          ${action}
        </button>`,
  });
}

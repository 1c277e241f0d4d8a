import { html, nothing, type TemplateResult } from "lit";
import { ApiFailure, messageOf } from "../api/index.ts";
import { openDialog, type OpenDialog } from "./openDialog.ts";
import { words } from "./words.ts";

export interface FormOptions<Saved> {
  readonly title: string;
  readonly isWide?: boolean;
  /** The verb on the button, such as "Save". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** Leaves the check of addresses and required fields to the host, whose words are then at the field. */
  readonly isUnchecked?: boolean;
  /** Members whose mistakes the body shows by `mistakeOf`. */
  readonly members?: readonly string[];
  /** The fields. They are drawn again after each change and each refusal. */
  body(form: OpenForm<Saved>): TemplateResult;
  /** Stores what was entered; the form closes with the result, or shows the failure. */
  save(dialog: OpenDialog<Saved>): Promise<Saved>;
  /** Whether it may be saved; always when left out. */
  isComplete?(): boolean;
  /** Buttons before those of each form. */
  more?(form: OpenForm<Saved>): TemplateResult | typeof nothing;
}

export interface OpenForm<Saved> extends OpenDialog<Saved> {
  /** Why it was not saved; "" where a member says so. */
  readonly wrong: string;
  readonly isSaving: boolean;
  /** Returns what the host says about a member. */
  mistakeOf(member: string): string | undefined;
  /** Does something other than saving: the form closes with the result, or shows the failure. */
  attempt(work: () => Promise<Saved>): Promise<void>;
}

let opened = 0;

/**
 * Opens a form over the page. Returns what was saved; undefined when the reader closes it. Enter in a field saves, once
 * however often it is pressed.
 */
export function openForm<Saved>(options: FormOptions<Saved>): Promise<Saved | undefined> {
  const { action, isDangerous, isUnchecked, members = [] } = options;
  const id = `form-${++opened}`;
  let mistakes: ApiFailure["validation"] = {};
  let wrong = "";
  let isSaving = false;
  const mistakeOf = (member: string) => mistakes[member]?.[0];
  const attempt = async (dialog: OpenDialog<Saved>, work: () => Promise<Saved>): Promise<void> => {
    if (isSaving) return;
    [isSaving, wrong, mistakes] = [true, "", {}];
    dialog.redraw();
    try {
      dialog.close(await work());
    } catch (failure) {
      mistakes = failure instanceof ApiFailure ? failure.validation : {};
      wrong = members.some((member) => mistakeOf(member)) ? "" : messageOf(failure);
    }
    isSaving = false;
    dialog.redraw();
  };
  const formOf = (dialog: OpenDialog<Saved>): OpenForm<Saved> => ({
    ...dialog,
    wrong,
    isSaving,
    mistakeOf,
    attempt: (work) => attempt(dialog, work),
  });
  return openDialog<Saved>({
    ...options,
    body: (dialog) =>
      html`<form
        id=${id}
        class="stack"
        ?novalidate=${isUnchecked}
        @input=${dialog.redraw}
        @change=${dialog.redraw}
        @submit=${(event: Event) => {
          event.preventDefault();
          void attempt(dialog, () => options.save(dialog));
        }}
      >
        ${options.body(formOf(dialog))}
      </form>`,
    foot: (dialog) =>
      html`${options.more?.(formOf(dialog)) ?? nothing}
        <button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button ${isDangerous ? "danger" : "primary"}"
          form=${id}
          ?disabled=${options.isComplete?.() === false}
        >
          ${action}
        </button>`,
  });
}

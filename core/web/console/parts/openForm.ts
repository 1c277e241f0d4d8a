import { html, nothing, type TemplateResult } from "lit";
import { messageOf, mistakesIn } from "../api/index.ts";
import { openDialog, type OpenDialog } from "./openDialog.ts";
import { words } from "./words.ts";

/** The fields of a form, and how to save their values. */
export interface FormOptions<Saved> {
  readonly title: string;
  readonly isWide?: boolean;
  /** Label of the button, a verb such as "Save". */
  readonly action: string;
  readonly isDangerous?: boolean;
  /**
   * Whether to skip the browser's checks of addresses and required fields. If set, the host's messages appear at the
   * fields instead.
   */
  readonly isUnchecked?: boolean;
  /** Members whose errors the body shows with `mistakeOf`. Errors of other members are in `wrong`. */
  readonly members?: readonly string[];
  /** Returns the fields; called again after each change and each error. */
  body(form: OpenForm<Saved>): TemplateResult;
  /** Stores the values. The form closes with the result, or shows the error. */
  save(dialog: OpenDialog<Saved>): Promise<Saved>;
  /**
   * Returns whether the form can be saved.
   * @default always
   */
  isComplete?(): boolean;
  /** Returns additional buttons, shown before the standard ones. */
  more?(form: OpenForm<Saved>): TemplateResult | typeof nothing;
}

/** An open form, with the errors of the last attempt to save. */
export interface OpenForm<Saved> extends OpenDialog<Saved> {
  /** Why saving failed; "" if the error is shown next to a field. */
  readonly wrong: string;
  readonly isSaving: boolean;
  /** Returns the host's error message for a member; undefined if the member has no error. */
  mistakeOf(member: string): string | undefined;
  /** Runs an action other than saving. The form closes with the result, or shows the error. */
  attempt(work: () => Promise<Saved>): Promise<void>;
}

let opened = 0;

/**
 * Opens a form over the page. Returns the saved value; undefined if the reader closes it. Enter in a field saves.
 * Pressing it several times saves only once.
 */
export function openForm<Saved>(options: FormOptions<Saved>): Promise<Saved | undefined> {
  const { action, isDangerous, isUnchecked, members = [] } = options;
  const id = `form-${++opened}`;
  let mistakes: Readonly<Record<string, string>> = {};
  let wrong = "";
  let isSaving = false;
  const mistakeOf = (member: string) => mistakes[member];
  const attempt = async (dialog: OpenDialog<Saved>, work: () => Promise<Saved>): Promise<void> => {
    if (isSaving) return;
    [isSaving, wrong, mistakes] = [true, "", {}];
    dialog.redraw();
    try {
      dialog.close(await work());
    } catch (failure) {
      mistakes = mistakesIn(failure);
      const named = Object.keys(mistakes);
      const isShown = named.length > 0 && named.every((member) => members.includes(member));
      wrong = isShown ? "" : messageOf(failure);
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

import { html, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import {
  confirmAndRun,
  elementOf,
  notify,
  openForm,
  textField,
  type OpenForm,
} from "../../parts/index.ts";
import type { Question } from "../../questions/index.ts";
import { storedForm, type SavedQuestion } from "./savedQuestions.ts";
import { words } from "./words.ts";

export interface NewQuestion {
  readonly api: Api;
  readonly datasetId: string;
  readonly question: Question;
  /** The name that the form suggests. */
  readonly name: string;
}

const nameField = (
  form: Pick<OpenForm<unknown>, "mistakeOf">,
  value: string,
  onInput: (value: string) => void,
): TemplateResult =>
  textField({
    id: "question-name",
    label: words.name,
    value,
    wrong: form.mistakeOf("name"),
    onInput,
  });

const mistakeOf = ({ wrong }: Pick<OpenForm<unknown>, "wrong">): TemplateResult =>
  wrong === "" ? html`` : html`<p class="failure" role="alert">${wrong}</p>`;

/** Opens the form that saves a question under a name. Undefined if the reader closes it. */
export function openNewQuestion({
  api,
  datasetId,
  question,
  name: suggested,
}: NewQuestion): Promise<SavedQuestion | undefined> {
  let [name, shared] = [suggested, false];
  return openForm<SavedQuestion>({
    title: words.saved.saveAs,
    action: words.save,
    members: ["name"],
    isComplete: () => name.trim() !== "",
    body: (form) =>
      html`${nameField(form, name, (value) => (name = value))}
        <label class="check">
          <input
            type="checkbox"
            .checked=${shared}
            @change=${(event: Event) => {
              shared = elementOf(event.target, HTMLInputElement).checked;
            }}
          />
          ${words.saved.shareWithReaders}
        </label>
        <p class="muted small">${words.saved.rightsNote}</p>
        ${mistakeOf(form)}`,
    save: () =>
      api.create<SavedQuestion>("savedquestion", {
        securable_id: datasetId,
        name: name.trim(),
        shared,
        question: storedForm(question),
      }),
  });
}

/** Opens the form that renames a saved question. Undefined if the reader closes it. */
export function openRename(
  api: Api,
  { id, name: before }: SavedQuestion,
): Promise<true | undefined> {
  let name = before;
  return openForm<true>({
    title: words.saved.rename,
    action: words.save,
    members: ["name"],
    isComplete: () => name.trim() !== "",
    body: (form) => html`${nameField(form, name, (value) => (name = value))} ${mistakeOf(form)}`,
    async save() {
      await api.update("savedquestion", id, { name: name.trim() });
      return true;
    },
  });
}

/** Stores another question under the name of a saved one. */
export async function updateSaved(
  api: Api,
  { id, name }: SavedQuestion,
  question: Question,
): Promise<void> {
  await api.update("savedquestion", id, { question: storedForm(question) });
  notify({ text: words.saved.updated(name) });
}

/** Shares a saved question with the readers of its dataset, or stops sharing it. */
export const toggleShared = (api: Api, { id, shared }: SavedQuestion): Promise<unknown> =>
  api.update("savedquestion", id, { shared: !shared });

/** Deletes a saved question after the reader confirms it. Returns whether it was deleted. */
export const removeSaved = (api: Api, { id, name }: SavedQuestion): Promise<boolean> =>
  confirmAndRun({
    action: words.saved.remove,
    text: words.saved.removeText(name),
    done: words.saved.removed,
    run: () => api.remove("savedquestion", id),
  });

import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { writeNumber } from "../../language/index.ts";
import { elementOf, openDialog, textField, type OpenDialog } from "../../parts/index.ts";
import { parseFile, typeOf, type ParsedFile } from "./parseFile.ts";
import { words } from "./words.ts";

interface State {
  name: string;
  file: ParsedFile | undefined;
  wrong: string;
  stored: number | undefined;
  isOver: boolean;
}

/** Rows of one call. */
const batchRows = 5_000;
const previewRows = 8;
const namedMistakes = 5;

/**
 * Asks for a file, shows its columns with their types, and stores it when the reader agrees. Returns the id of the new
 * dataset; undefined when the reader closes the dialog.
 */
export function uploadFile(api: Api): Promise<string | undefined> {
  const state: State = { name: "", file: undefined, wrong: "", stored: undefined, isOver: false };
  const read = async (dialog: OpenDialog<string>, file: File | undefined): Promise<void> => {
    if (!file) return;
    const parsed = parseFile(file.name, await file.text());
    state.wrong = parsed ? (parsed.rows.length === 0 ? words.noRows : "") : words.notCsv;
    state.file = state.wrong === "" ? parsed : undefined;
    state.name = file.name.replace(/\.[^.]+$/, "");
    dialog.redraw();
  };
  const store = async (dialog: OpenDialog<string>): Promise<void> => {
    const { file } = state;
    if (!file || file.uneven.length > 0) return;
    [state.stored, state.wrong] = [0, ""];
    dialog.redraw();
    try {
      let id: string | undefined;
      for (let from = 0; from < file.rows.length; from += batchRows) {
        const data = file.rows.slice(from, from + batchRows);
        const options = { header: file.header, name: { en: state.name } };
        const push =
          id === undefined
            ? { type: "create", data, options }
            : { type: "append", securable_id: id, data, options: { header: file.header } };
        const answer = await api.create<{ readonly rows: readonly { readonly id: string }[] }>(
          "data",
          push,
        );
        id ??= answer.rows[0]?.id;
        state.stored = from + data.length;
        dialog.redraw();
      }
      dialog.close(id);
    } catch (failure) {
      state.stored = undefined;
      state.wrong = failure instanceof Error ? failure.message : String(failure);
      dialog.redraw();
    }
  };
  return openDialog<string>({
    title: words.uploadTitle,
    isWide: true,
    body: (dialog) =>
      state.file ? renderPreview(state, state.file, dialog) : renderDrop(state, dialog, read),
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${!state.file || state.stored !== undefined || state.file.uneven.length > 0}
          @click=${() => void store(dialog)}
        >
          ${words.store}
        </button>`,
  });
}

function renderDrop(
  state: State,
  dialog: OpenDialog<string>,
  read: (dialog: OpenDialog<string>, file: File | undefined) => Promise<void>,
): TemplateResult {
  const over = (event: DragEvent, isOver: boolean) => {
    event.preventDefault();
    state.isOver = isOver;
    dialog.redraw();
  };
  return html`<p class="muted">${words.uploadText}</p>
    <div
      class="drop ${state.isOver ? "over" : ""}"
      @dragover=${(event: DragEvent) => over(event, true)}
      @dragleave=${(event: DragEvent) => over(event, false)}
      @drop=${(event: DragEvent) => {
        over(event, false);
        void read(dialog, event.dataTransfer?.files[0]);
      }}
    >
      <label for="upload-file">${words.choose}</label>
      <input
        id="upload-file"
        type="file"
        accept=".csv,.tsv,.txt,.json"
        @change=${(event: Event) => void read(dialog, elementOf(event.target, HTMLInputElement).files?.[0])}
      />
      <span class="muted">${words.drop}</span>
    </div>
    ${state.wrong ? html`<p class="wrong" role="alert">${state.wrong}</p>` : nothing}`;
}

function renderPreview(state: State, file: ParsedFile, dialog: OpenDialog<string>): TemplateResult {
  const { header, rows, uneven } = file;
  const types = header.map((_, at) => typeOf(file, at));
  return html`${textField({
      id: "upload-name",
      label: words.datasetName,
      value: state.name,
      onInput(value) {
        state.name = value;
        dialog.redraw();
      },
    })}
    <p>
      <strong>${words.preview(writeNumber(rows.length), writeNumber(header.length))}</strong>
      <span class="muted">${words.previewText}</span>
    </p>
    <div class="surface data-scroll" tabindex="0" role="region" aria-label=${words.previewText}>
      <table class="data-table">
        <thead>
          <tr>
            ${header.map((name, at) => html`<th class=${types[at] === "numeric" ? "right" : ""}>${name}<br /><span class="badge info">${words.types[types[at]!]}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, previewRows).map(
            (row) =>
              html`<tr>
                ${row.map((cell) => html`<td class=${typeof cell === "number" ? "right" : ""}>${cell ?? "–"}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${uneven.length > 0 ? renderUneven(file) : nothing}
    ${
      state.stored === undefined
        ? nothing
        : html`<progress
              class="upload-progress"
              max=${rows.length}
              .value=${state.stored}
            ></progress>
            <p role="status">
              ${words.storing(writeNumber(state.stored), writeNumber(rows.length))}
            </p>`
    }
    ${state.wrong ? html`<p class="wrong" role="alert">${state.wrong}</p>` : nothing}`;
}

function renderUneven({ uneven, header }: ParsedFile): TemplateResult {
  const rest = uneven.length - namedMistakes;
  return html`<div class="failure" role="alert">
    <p>${words.wrongRows}</p>
    <ul class="wrong-rows">
      ${uneven
        .slice(0, namedMistakes)
        .map(
          ({ row, width }) =>
            html`<li>${words.unevenRow(String(row), String(width), String(header.length))}</li>`,
        )}
    </ul>
    ${rest > 0 ? html`<p>${words.more(writeNumber(rest))}</p>` : nothing}
  </div>`;
}

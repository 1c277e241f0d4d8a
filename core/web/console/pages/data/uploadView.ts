import { html, LitElement, nothing, type TemplateResult } from "lit";
import { messageOf, type Api } from "../../api/index.ts";
import { writeNumber } from "../../language/index.ts";
import type { Router } from "../../navigation/index.ts";
import { elementOf, notify, selectField, textField } from "../../parts/index.ts";
import { cutIntoPushes, readFile, type FileTable, type PushBatch } from "./files/index.ts";
import { storeTable } from "./storeTable.ts";
import { words } from "./words.ts";

/** A column as the host would create it. */
interface Described {
  readonly type: string;
  readonly subtype: string | null;
  /** Order of day, month and year in the dates of the file, such as `DD-MM-YYYY`. */
  readonly informat: string | null;
}
interface Chosen {
  readonly tables: readonly FileTable[];
  readonly table: FileTable;
  readonly batches: readonly PushBatch[];
  /** The columns that the host detects in the rows. */
  readonly columns: readonly Described[];
  readonly warnings: readonly string[];
  readonly wrong: string;
}
interface Progress {
  readonly rowCount: number;
  readonly startedAt: number;
  readonly stop: AbortController;
}

const previewRows = 8;
const namedMistakes = 5;
const typeWords: Readonly<Record<string, string>> = words.types;

/** Turns a file into a dataset: shows its tables and column types, then uploads it. Properties: `api`, `router`. */
export class UploadView extends LitElement {
  static override properties = {
    api: { attribute: false },
    router: { attribute: false },
    chosen: { state: true },
    progress: { state: true },
    isReading: { state: true },
    isOver: { state: true },
    wrong: { state: true },
  };
  declare api: Api;
  declare router: Router;
  declare private chosen: Chosen | undefined;
  declare private progress: Progress | undefined;
  declare private isReading: boolean;
  declare private isOver: boolean;
  declare private wrong: string;
  private name = "";

  constructor() {
    super();
    this.isReading = false;
    this.isOver = false;
    this.wrong = "";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  private async read(file: File | undefined): Promise<void> {
    if (!file || this.isReading) return;
    [this.isReading, this.wrong, this.chosen] = [true, "", undefined];
    try {
      const tables = await readFile(file);
      this.name = file.name.replace(/(\.[^.]+)?(\.gz)?$/i, "");
      const [first] = tables;
      if (first) await this.choose(tables, first);
    } catch (failure) {
      this.wrong = messageOf(failure);
    }
    this.isReading = false;
  }

  /** Lets the host detect the column types, without storing anything. */
  private async choose(tables: readonly FileTable[], table: FileTable): Promise<void> {
    const none = { tables, table, batches: [], columns: [], warnings: [], wrong: "" };
    if (table.rows.length === 0 || table.uneven.length > 0) {
      this.chosen = { ...none, wrong: table.rows.length === 0 ? words.noRows : "" };
      return;
    }
    const batches = cutIntoPushes(table);
    const properties = {
      type: "create",
      data: batches[0]?.rows ?? [],
      options: { header: table.header },
    };
    const found = await this.api.call<{
      readonly valid: boolean;
      readonly columns?: readonly Described[];
      readonly warnings?: readonly string[];
      readonly message?: string;
    }>("data", "validate", { properties });
    const { columns = [], warnings = [], message = "" } = found;
    this.chosen = { ...none, batches, columns, warnings, wrong: found.valid ? "" : message };
  }

  private async store({ batches, table }: Chosen): Promise<void> {
    if (this.progress) return;
    const stop = new AbortController();
    const name = this.name.trim() || words.uploadTitle;
    this.progress = { rowCount: 0, startedAt: performance.now(), stop };
    this.wrong = "";
    try {
      const id = await storeTable(this.api, {
        name,
        header: table.header,
        batches,
        signal: stop.signal,
        onStored: (rowCount) => {
          if (this.progress) this.progress = { ...this.progress, rowCount };
        },
      });
      // The upload continues when the reader opens another page.
      if (this.isConnected) this.router.go(`/data/${id}`);
      notify({ text: words.uploaded(name) });
    } catch (failure) {
      const reason = stop.signal.aborted
        ? words.stopped
        : failure instanceof Error
          ? failure.message
          : String(failure);
      this.wrong = words.notUploaded(reason);
      if (!this.isConnected) notify({ text: `${name}: ${this.wrong}`, isBad: true });
    }
    this.progress = undefined;
  }

  protected override render(): TemplateResult {
    const { chosen, wrong } = this;
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.uploadTitle}</h1>
          <p>${words.uploadText}</p>
        </div>
        <a class="button" href="/data">${words.back}</a>
      </header>
      ${this.progress ? nothing : this.renderDrop(chosen !== undefined)}
      ${this.isReading ? html`<p role="status" class="muted">${words.reading}</p>` : nothing}
      ${wrong ? html`<p class="failure" role="alert">${wrong}</p>` : nothing}
      ${chosen ? this.renderChosen(chosen) : nothing}
    </div>`;
  }

  private renderDrop(isSmall: boolean): TemplateResult {
    const over = (event: DragEvent, isOver: boolean) => {
      event.preventDefault();
      this.isOver = isOver;
    };
    return html`<div
      class="drop ${this.isOver ? "over" : ""} ${isSmall ? "small" : ""}"
      @dragover=${(event: DragEvent) => over(event, true)}
      @dragleave=${(event: DragEvent) => over(event, false)}
      @drop=${(event: DragEvent) => {
        over(event, false);
        void this.read(event.dataTransfer?.files[0]);
      }}
    >
      <label class="button ${isSmall ? "" : "primary"}" for="upload-file"
        >${isSmall ? words.chooseOther : words.choose}</label
      >
      <input
        class="visually-hidden"
        id="upload-file"
        type="file"
        accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,.xlsx,.xlsm,.parquet,.gz"
        @change=${(event: Event) => void this.read(elementOf(event.target, HTMLInputElement).files?.[0])}
      />
      <span class="muted">${words.drop}</span>
    </div>`;
  }

  private renderChosen(chosen: Chosen): TemplateResult {
    const { tables, table, wrong, warnings } = chosen;
    const isReady = chosen.batches.length > 0 && wrong === "" && !this.progress;
    return html`<div class="upload-fields">
        ${textField({
          id: "upload-name",
          label: words.datasetName,
          value: this.name,
          onInput: (value) => {
            this.name = value;
            this.requestUpdate();
          },
        })}
        ${
          tables.length < 2
            ? nothing
            : selectField({
                id: "upload-sheet",
                label: words.sheet,
                value: table.name,
                choices: tables.map(({ name }) => ({ value: name, label: name })),
                onSelect: (name) => {
                  const other = tables.find((each) => each.name === name);
                  if (other) void this.choose(tables, other);
                },
              })
        }
      </div>
      <p>
        <strong
          >${words.preview(writeNumber(table.rows.length), writeNumber(table.header.length))}</strong
        >
        <span class="muted">${words.previewText}</span>
      </p>
      ${renderPreview(chosen)}
      ${wrong ? html`<p class="failure" role="alert">${wrong}</p>` : nothing}
      ${table.uneven.length > 0 ? renderUneven(table) : nothing}
      ${warnings.map((warning) => html`<p class="muted small">${warning}</p>`)}
      ${this.renderProgress(table)}
      <div class="row">
        <button
          class="button primary"
          ?disabled=${!isReady}
          @click=${() => void this.store(chosen)}
        >
          ${words.store}
        </button>
        ${
          this.progress
            ? html`<button class="button" @click=${() => this.progress?.stop.abort()}>
                ${words.stop}
              </button>`
            : nothing
        }
      </div>`;
  }

  private renderProgress({ rows }: FileTable): TemplateResult | typeof nothing {
    const { progress } = this;
    if (!progress) return nothing;
    const { rowCount, startedAt } = progress;
    const seconds = Math.max(0.001, (performance.now() - startedAt) / 1000);
    const rate = writeNumber(Math.round(rowCount / seconds));
    return html`<progress class="upload-progress" max=${rows.length} .value=${rowCount}></progress>
      <p role="status">${words.storing(writeNumber(rowCount), writeNumber(rows.length), rate)}</p>`;
  }
}

function renderPreview({ table, columns }: Chosen): TemplateResult {
  const { header, rows } = table;
  return html`<div
    class="surface data-scroll"
    tabindex="0"
    role="region"
    aria-label=${words.previewText}
  >
    <table class="data-table">
      <thead>
        <tr>
          ${header.map((name, at) => {
            const { type, informat } = columns[at] ?? {};
            const order = type === "datetime" && informat ? informat.slice(0, 10) : "";
            return html`<th class=${type === "numeric" ? "right" : ""}>
              ${name}<br />${type ? html`<span class="badge info">${typeWords[type] ?? type}</span>` : nothing}
              ${order === "" ? nothing : html`<span class="muted">${order}</span>`}
            </th>`;
          })}
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, previewRows).map(
          (row) =>
            html`<tr>
              ${row.map(
                (cell, at) =>
                  html`<td class=${columns[at]?.type === "numeric" ? "right" : ""}>
                    ${typeof cell === "number" && columns[at]?.type === "numeric" ? writeNumber(cell) : (cell ?? "–")}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function renderUneven({ uneven, header }: FileTable): TemplateResult {
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

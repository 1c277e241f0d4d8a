import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { messageOf } from "../../../api/index.ts";
import { writeBytes } from "../../../language/index.ts";
import {
  type ConsoleContext,
  createLoad,
  define,
  elementOf,
  notify,
  showWarnings,
} from "../../../parts/index.ts";
import { adoptStyles } from "../../../styles/index.ts";
import { makeDashboard } from "../../../firstBoard/index.ts";
import { offeredEndings } from "./fileKind.ts";
import { FileImport, type ImportState } from "./fileImport.ts";
import type { ImportDraft } from "./importDraft.ts";
import { ImportForm } from "./importForm.ts";
import { runningImports, startImport } from "./runningImports.ts";
import { importStyles } from "./styles.ts";
import { mayChangeRows, readTarget, type Target } from "./target.ts";
import { words } from "./words.ts";

/**
 * Imports files, one after another. Properties: `context`; `datasetId` of the dataset that receives the rows; `files`,
 * to which the page assigns files that were dropped on it.
 */
export class ImportView extends LitElement {
  static override properties = {
    context: { attribute: false },
    datasetId: { attribute: false },
    files: { attribute: false },
    queue: { state: true },
    running: { state: true },
    failure: { state: true },
  };
  declare context: ConsoleContext;
  declare datasetId: string | undefined;
  declare files: readonly File[];
  /** The file in the form, followed by the files that wait for their turn. */
  declare private queue: readonly File[];
  declare private running: FileImport | undefined;
  /** Why the last import of the first file stored nothing. */
  declare private failure: unknown;
  /** Number of files that the reader chose since the queue was empty. */
  private fileCount = 0;
  private unfollow: (() => void) | undefined;
  private readonly target = createLoad(this, async (signal) => {
    const { datasetId } = this;
    if (datasetId === undefined) return undefined;
    const { api } = this.context;
    const mayChange = await mayChangeRows(api, datasetId, signal);
    return { found: mayChange ? await readTarget(api, datasetId, signal) : undefined };
  });

  constructor() {
    super();
    [this.queue, this.files] = [[], []];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    adoptStyles(importStyles);
    define("console-import-form", ImportForm);
    const [running] = runningImports();
    if (running) this.follow(running);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("datasetId")) {
      this.queue = [];
      this.target.clear();
      if (this.datasetId !== undefined) void this.target.start();
    }
    if (changed.has("files")) this.take(this.files);
  }

  private take(files: readonly File[]): void {
    if (files.length === 0) return;
    if (this.queue.length === 0) this.fileCount = 0;
    this.fileCount += files.length;
    this.queue = [...this.queue, ...files];
  }

  private follow(running: FileImport): void {
    this.unfollow?.();
    this.running = running;
    this.unfollow = running.onChange(() => {
      if (!running.isRunning) this.running = undefined;
      this.requestUpdate();
    });
  }

  private async import(draft: ImportDraft): Promise<void> {
    if (this.running) return;
    const started = new FileImport(this.context.api, draft);
    this.failure = undefined;
    this.follow(started);
    await startImport(started);
    await this.end(started);
  }

  /** Reports the end of an import, wherever the reader is by then. */
  private async end({ state, draft }: FileImport): Promise<void> {
    const name = draft.target?.name ?? draft.name;
    if (state.kind === "done") {
      const { datasetId, rowCount, warnings } = state;
      this.queue = this.queue.slice(1);
      const run = () => void makeDashboard(this.context, datasetId);
      notify({ text: words.imported(name, rowCount), action: { label: words.board, run } });
      if (this.isConnected && this.queue.length === 0) this.context.router.go(`/data/${datasetId}`);
      await showWarnings(words.warnings, warnings);
    } else if (state.kind === "failed") {
      if (this.isConnected) this.failure = state.failure;
      else notify({ text: words.failed(name, messageOf(state.failure)), isBad: true });
    } else notify({ text: words.stopped(name) });
  }

  protected override render(): TemplateResult {
    const { datasetId } = this;
    if (datasetId !== undefined)
      return html`<div class="page">
        ${this.target.show((loaded) =>
          loaded?.found
            ? this.renderImport(loaded.found)
            : renderRefusal(words.noRightFor, words.noRightForText),
        )}
      </div>`;
    const mayCreate =
      this.context.user.features?.removed?.includes("flag_create_datasets") !== true;
    return html`<div class="page">
      ${mayCreate ? this.renderImport(undefined) : renderRefusal(words.noRight, words.noRightText)}
    </div>`;
  }

  private renderImport(target: Target | undefined): TemplateResult {
    const { running } = this;
    const [file] = this.queue;
    return html`<header class="page-head">
        <div>
          <h1>${target ? words.titleOf(target.name) : words.title}</h1>
          <p>${target ? words.textOf : words.text}</p>
        </div>
        ${
          target
            ? html`<a class="button" href="/data/${target.id}">${words.backTo}</a>`
            : html`<a class="button" href="/data">${words.back}</a>`
        }
      </header>
      ${running ? this.renderRunning(running) : this.renderPicker(file)}
      ${
        file
          ? html`<console-import-form
              ?hidden=${running !== undefined}
              .api=${this.context.api}
              .file=${file}
              .target=${target}
              .failure=${this.failure}
              .onImport=${(draft: ImportDraft) => void this.import(draft)}
            ></console-import-form>`
          : nothing
      }`;
  }

  private renderPicker(file: File | undefined): TemplateResult {
    const { fileCount, queue } = this;
    return html`<div class="drop ${file ? "small" : ""}">
      ${
        file
          ? html`<span class="import-file grow"
              ><strong>${file.name}</strong>
              <span class="muted"
                >${writeBytes(file.size)}${
                  fileCount > 1
                    ? html` · ${words.place(fileCount - queue.length + 1, fileCount)}`
                    : nothing
                }</span
              ></span
            >`
          : nothing
      }
      <label class="button ${file ? "" : "primary"}" for="upload-file"
        >${file ? words.chooseOther : words.choose}</label
      >
      <input
        class="visually-hidden"
        id="upload-file"
        type="file"
        multiple
        accept=${offeredEndings}
        @change=${(event: Event) => {
          const input = elementOf(event.target, HTMLInputElement);
          const files = [...(input.files ?? [])];
          // The same file can be chosen again after it was corrected on disk.
          input.value = "";
          if (files.length === 0) return;
          this.queue = [];
          this.take(files);
        }}
      />
      ${
        queue.length > 1
          ? html`<button class="button" type="button" @click=${() => (this.queue = queue.slice(1))}>
              ${words.skip}
            </button>`
          : nothing
      }
      ${file ? nothing : html`<span class="muted">${words.drop}</span>`}
    </div>`;
  }

  private renderRunning(running: FileImport): TemplateResult {
    const { state, draft } = running;
    const { file } = draft;
    const share = shareOf(state, file.size);
    return html`<section class="surface import-running" aria-label=${words.importing(file.name)}>
      <h2>${words.importing(file.name)}</h2>
      <progress
        class="upload-progress"
        aria-label=${words.importing(file.name)}
        max="1"
        value=${ifDefined(share)}
      ></progress>
      <p role="status">${progressText(state, file.size)}</p>
      <p class="muted small">${words.leave}</p>
      <div class="row">
        <button class="button" ?disabled=${!running.canStop} @click=${() => running.stop()}>
          ${words.stop}
        </button>
      </div>
    </section>`;
  }
}

/** Renders the page for a reader who may not import. */
function renderRefusal(title: string, text: string): TemplateResult {
  return html`<header class="page-head">
    <div>
      <h1>${title}</h1>
      <p>${text}</p>
    </div>
    <a class="button" href="/data">${words.back}</a>
  </header>`;
}

/** Returns the part of the current step that is done; undefined if it is not known. */
function shareOf(state: ImportState, sizeBytes: number): number | undefined {
  if (state.kind === "sending" || state.kind === "waiting") return state.sentBytes / sizeBytes;
  return state.kind === "reading" ? state.share : undefined;
}

function progressText(state: ImportState, sizeBytes: number): string {
  switch (state.kind) {
    case "sending":
      return words.sending(writeBytes(state.sentBytes), writeBytes(sizeBytes));
    case "waiting":
      return words.waiting(writeBytes(state.sentBytes), writeBytes(sizeBytes));
    case "reading":
      return state.rowCount === undefined ? words.storing : words.storingRows(state.rowCount);
    case "stopping":
      return words.stopping;
    case "done":
    case "stopped":
    case "failed":
      return "";
  }
}

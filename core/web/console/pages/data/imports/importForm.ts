import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { messageOf, type Api } from "../../../api/index.ts";
import { writeBytes } from "../../../language/index.ts";
import { elementOf, loadingState, textField } from "../../../parts/index.ts";
import { blamedIn, inReadersWords, suggestionsOf } from "./blamedIn.ts";
import { compareColumns, type Differences } from "./compareColumns.ts";
import { columnTypeOf } from "./columnType.ts";
import { controlsFor, type ControlId } from "./controls.ts";
import { quickSampleBytes, sampleBytes, sampleOf } from "./fileKind.ts";
import type { ColumnChoice } from "./fileSettings.ts";
import { draftOf, targetNameOf, type ImportDraft } from "./importDraft.ts";
import { readPreview, remarksOf, textOfNote, type Preview } from "./preview.ts";
import { renderControls, summaryOf } from "./renderControls.ts";
import { renderDifferences } from "./renderDifferences.ts";
import { renderPreview } from "./renderPreview.ts";
import { renderSuggestions } from "./renderSuggestions.ts";
import { valueAfter, type Suggestion } from "./suggestionsIn.ts";
import type { Target } from "./target.ts";
import { words } from "./words.ts";

/** How long the form waits after a change, in case another one follows. */
const pauseMs = 250;

/**
 * Shows how the host reads a file, and lets the reader correct it. Properties: `api`, `file`, `target` if a dataset
 * receives the rows, and `failure` if an import of the file failed. `onImport` receives the file with everything that
 * the reader chose.
 */
export class ImportForm extends LitElement {
  static override properties = {
    api: { attribute: false },
    file: { attribute: false },
    target: { attribute: false },
    failure: { attribute: false },
    draft: { state: true },
    preview: { state: true },
    refusal: { state: true },
    isReading: { state: true },
    isDetailed: { state: true },
  };
  declare api: Api;
  declare file: File;
  declare target: Target | undefined;
  declare failure: unknown;
  declare onImport: (draft: ImportDraft) => void;
  declare private draft: ImportDraft;
  /** The last preview. It stays while the host reads the file with other settings, or refuses it. */
  declare private preview: Preview | undefined;
  /** Why the host cannot read the file with the current settings. */
  declare private refusal: unknown;
  declare private isReading: boolean;
  /** Whether the settings are shown. */
  declare private isDetailed: boolean;
  private reading: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.reading?.abort();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("failure") && this.failure !== undefined) this.isDetailed = true;
    if (!changed.has("file") && !changed.has("target")) return;
    this.draft = draftOf(this.file, this.target);
    [this.preview, this.refusal, this.isDetailed] = [undefined, undefined, false];
    void this.read();
  }

  /** Lets the host read the file with the settings of the draft. Cancels an earlier call. */
  private async read(): Promise<void> {
    clearTimeout(this.timer);
    this.reading?.abort();
    const own = new AbortController();
    this.reading = own;
    this.isReading = true;
    try {
      const { file } = this.draft;
      const whole = sampleOf(file);
      const quick = sampleOf(file, quickSampleBytes);
      if (quick.size < whole.size) {
        const { preview, refusal } = await readPreview(this.api, this.draft, {
          sample: quick,
          signal: own.signal,
        });
        if (this.reading !== own) return;
        if (!refusal) this.show(preview);
      }
      const { preview, refusal } = await readPreview(this.api, this.draft, {
        sample: whole,
        signal: own.signal,
      });
      if (this.reading !== own) return;
      this.show(preview);
      this.refusal = refusal;
    } catch (failure) {
      if (this.reading !== own) return;
      this.refusal = failure;
    }
    this.isReading = false;
    this.isDetailed ||= this.refusal !== undefined;
  }

  private show(preview: Preview | undefined): void {
    if (!preview) return;
    this.preview = preview;
    const { columns, notes, settings } = preview;
    const foundSettings = Object.fromEntries(
      controlsFor(this.draft.kind).flatMap(({ id }) =>
        id in settings ? [[id, settings[id]]] : [],
      ),
    );
    const fileColumns = columns.map(({ name, type, subtype }) => ({
      name,
      type: columnTypeOf(type, subtype),
    }));
    this.draft = { ...this.draft, foundSettings, fileColumns, shownNotes: notes.map(textOfNote) };
  }

  /** Changes the draft, and reads the file again if the change affects the stored values. */
  private change(change: Partial<ImportDraft>, isRead = true): void {
    this.draft = { ...this.draft, ...change };
    if (!isRead) return;
    this.failure = undefined;
    clearTimeout(this.timer);
    this.reading?.abort();
    this.isReading = true;
    this.timer = setTimeout(() => void this.read(), pauseMs);
  }

  private changeSetting(id: ControlId, value: unknown): void {
    const { [id]: _, ...others } = this.draft.settings;
    this.change({ settings: value === undefined ? others : { ...others, [id]: value } });
  }

  /** Discards the chosen settings, and the types that are kept with a dataset. */
  private detectAgain(): void {
    const { target, columns } = this.draft;
    this.change({ settings: {}, columns: target ? new Map() : columns });
  }

  private readonly suggest = (suggestion: Suggestion): void => {
    const { id } = suggestion;
    this.changeSetting(id, valueAfter(suggestion, this.draft.settings[id]));
  };

  private changeColumn(name: string, choice: ColumnChoice): void {
    const before = this.draft.columns.get(name);
    const columns = new Map(this.draft.columns).set(name, choice);
    this.change({ columns }, before?.type !== choice.type || before?.format !== choice.format);
  }

  private get differences(): Differences | undefined {
    const { preview, target, draft } = this;
    if (!preview || !target) return undefined;
    const columns = preview.columns.map(({ name, type }) => ({
      name: targetNameOf(draft, name),
      type,
    }));
    return compareColumns(columns, target);
  }

  private get isReady(): boolean {
    const { preview, refusal, isReading, draft } = this;
    const hasNewColumns = (this.differences?.added.length ?? 0) > 0;
    return (
      preview !== undefined &&
      preview.columns.length > 0 &&
      refusal === undefined &&
      !isReading &&
      (draft.addsColumns || !hasNewColumns)
    );
  }

  protected override render(): TemplateResult {
    const { draft, preview, refusal, failure, differences } = this;
    const { mode, target } = draft;
    return html`<form
      class="stack"
      @submit=${(event: Event) => {
        event.preventDefault();
        if (this.isReady) this.onImport(this.draft);
      }}
    >
      <div class="import-head">${target ? this.renderMode() : this.renderName()}</div>
      ${refusal === undefined ? nothing : this.renderFailure(words.refused, refusal)}
      ${failure === undefined ? nothing : this.renderFailure(words.refusedImport, failure)}
      ${this.renderSettings()}
      ${preview ? this.renderPreview(preview) : refusal === undefined ? loadingState(8) : nothing}
      ${
        differences && refusal === undefined
          ? renderDifferences(differences, draft, (addsColumns) =>
              this.change({ addsColumns }, false),
            )
          : nothing
      }
      <div class="import-foot">
        <span class="muted small grow" role="status"
          >${this.isReading ? words.reading : nothing}</span
        >
        <button class="button primary" ?disabled=${!this.isReady}>
          ${mode === "create" ? words.import : words.importInto[mode]}
        </button>
      </div>
    </form>`;
  }

  private renderName(): TemplateResult {
    return textField({
      id: "import-name",
      label: words.datasetName,
      value: this.draft.name,
      autocomplete: "off",
      onInput: (name) => this.change({ name }, false),
    });
  }

  private renderMode(): TemplateResult {
    return html`<fieldset class="import-modes">
      <legend class="visually-hidden">${words.what}</legend>
      ${(["append", "replace"] as const).map(
        (mode) =>
          html`<label class="check"
            ><input
              type="radio"
              name="import-mode"
              .checked=${this.draft.mode === mode}
              @change=${() => this.change({ mode })}
            />${words.modes[mode]}</label
          >`,
      )}
    </fieldset>`;
  }

  private renderSettings(): TemplateResult {
    const { draft, preview, refusal, failure } = this;
    const isChanged = Object.keys(draft.settings).length > 0;
    return html`<details
      class="surface import-settings"
      ?open=${this.isDetailed}
      @toggle=${(event: Event) =>
        (this.isDetailed = elementOf(event.currentTarget, HTMLDetailsElement).open)}
    >
      <summary>
        ${words.settings}
        <span class="muted small"
          >${summaryOf(draft.kind, { ...preview?.settings, ...draft.settings })}</span
        >
      </summary>
      <div class="import-controls">
        ${renderControls({
          kind: draft.kind,
          settings: draft.settings,
          found: preview?.settings,
          sheets: preview?.sheets ?? [],
          blamed: blamedIn(refusal ?? failure),
          onChange: (id, value) => this.changeSetting(id, value),
        })}
      </div>
      ${
        isChanged
          ? html`<button class="button quiet" type="button" @click=${() => this.detectAgain()}>
              ${words.reset}
            </button>`
          : nothing
      }
    </details>`;
  }

  private renderPreview(preview: Preview): TemplateResult {
    const { draft, isReading, refusal } = this;
    const remarks = remarksOf(preview);
    return html`<section class="stack import-rows">
      <p>
        <strong>${words.preview(preview.rows.length, preview.columns.length)}</strong>
        <span class="muted"
          >${words.previewText}
          ${preview.isSample ? words.sampled(preview.rowCount, writeBytes(sampleBytes)) : nothing}</span
        >
      </p>
      ${renderPreview({
        preview,
        choices: draft.columns,
        target: draft.target,
        isOld: isReading || refusal !== undefined,
        onChange: (column, choice) => this.changeColumn(column, choice),
        onSuggest: this.suggest,
      })}
      ${
        remarks.length === 0
          ? nothing
          : html`<ul class="import-notes muted small">
              ${remarks.map(
                ({ message, suggestions }) =>
                  html`<li>
                    ${inReadersWords(message)} ${renderSuggestions(suggestions, this.suggest)}
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  private renderFailure(title: string, failure: unknown): TemplateResult {
    const message = messageOf(failure);
    return html`<div class="failure" role="alert">
      <h2>${title}</h2>
      <p>${inReadersWords(message)}</p>
      ${renderSuggestions(suggestionsOf(failure), this.suggest)}
    </div>`;
  }
}

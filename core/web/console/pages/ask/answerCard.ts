import { html, LitElement, nothing, type TemplateResult } from "lit";
import { readColumns, type ChartCell } from "../../../charts/index.ts";
import { isRecord } from "../../api/index.ts";
import { readerLocale, readerZone, textOf } from "../../language/index.ts";
import {
  createLoad,
  elementOf,
  errorState,
  notify,
  notifyFailure,
  type ConsoleContext,
} from "../../parts/index.ts";
import type { Answer } from "../../pictures/index.ts";
import { saveToDashboard } from "../../questions/index.ts";
import { itemsOfQuery, type QueryItems } from "./itemsOfQuery.ts";
import type { ShownAnswer } from "./readAnswer.ts";
import { readFields } from "./readFields.ts";
import { words } from "./words.ts";

interface Answered {
  readonly drawn: QueryItems;
  readonly answer: Answer;
}

/**
 * An answer: its chart, its rows, and its query, which the reader can edit, run again and save. Properties: `context`,
 * `shown`, `dashboardId`, `onChange`.
 */
export class AnswerCard extends LitElement {
  static override properties = {
    context: { attribute: false },
    shown: { attribute: false },
    dashboardId: { attribute: false },
    wrong: { state: true },
    isOpen: { state: true },
  };
  declare context: ConsoleContext;
  declare shown: ShownAnswer;
  /** The dashboard to which answers are saved unless the reader chooses another dashboard. */
  declare dashboardId: string | undefined;
  /** Called with the new answer after the reader edits the query. */
  declare onChange: ((shown: ShownAnswer) => void) | undefined;
  declare private wrong: string | undefined;
  declare private isOpen: boolean;
  private written: string | undefined;
  private readonly load = createLoad<Answered>(this, async (signal) => {
    const { api } = this.context;
    const { query } = this.shown;
    const given = isRecord(query["options"]) ? query["options"] : {};
    const options = { locale_id: readerLocale, timezone_id: readerZone, ...given };
    const find = { explain: true, queries: [{ ...query, options }] };
    const [known, answer] = await Promise.all([
      readFields(api, query, signal),
      api.call<Answer>("data", "get", { find }, { signal }),
    ]);
    return { drawn: itemsOfQuery(this.shown, known, words), answer };
  });

  constructor() {
    super();
    this.isOpen = false;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override firstUpdated(): void {
    void this.load.start();
  }

  private askAgain(): void {
    const text = this.written ?? "";
    let query: unknown;
    try {
      query = JSON.parse(text);
    } catch {
      query = undefined;
    }
    this.wrong = isRecord(query) ? undefined : words.notJson;
    if (!isRecord(query)) return;
    const { exploreUrl: _, ...kept } = this.shown;
    this.shown = { ...kept, query };
    this.onChange?.(this.shown);
    void this.load.start();
  }

  private async keep({ kept }: QueryItems): Promise<void> {
    if (!kept) return;
    const { where, having } = this.shown.query;
    try {
      const filters = { where: listOf(where), having: listOf(having) };
      const saved = await saveToDashboard(this.context.api, kept, filters, this.dashboardId);
      if (saved) notify({ text: words.kept(saved.name) });
    } catch (failure) {
      notifyFailure(failure);
    }
  }

  protected override render(): TemplateResult {
    const { failure } = this.load;
    return html`<article
      class="surface answer-card"
      aria-label=${textOf(this.shown.title) || words.answer}
    >
      ${
        failure === undefined
          ? this.load.show((answered) => this.renderAnswer(answered))
          : errorState(failure, () => void this.load.start())
      }
      ${this.renderQuery()}
    </article>`;
  }

  private renderAnswer({ drawn, answer }: Answered): TemplateResult {
    const { chart, table, kept, problem } = drawn;
    const { exploreUrl } = this.shown;
    const rows = answer.data;
    const columns = readColumns({
      fields: table.fields,
      localeId: readerLocale,
      timezoneId: readerZone,
    }).map(({ name, isNumeric, text }, index) => ({
      label: name,
      width: "minmax(120px, 1fr)",
      isNumber: isNumeric,
      cell: (row: readonly ChartCell[]) => text(row[index]),
    }));
    const picture = chart && {
      item: chart,
      state: { kind: "answer" as const, fields: chart.fields, rows },
    };
    const title = textOf(this.shown.title);
    return html`${title && !(picture && rows.length > 0) ? html`<h2>${title}</h2>` : nothing}
      ${
        picture && rows.length > 0
          ? html`<console-picture
              .picture=${picture}
              .theme=${this.context.theme}
            ></console-picture>`
          : nothing
      }
      ${
        rows.length === 0
          ? html`<p class="muted">${words.noRows}</p>`
          : html`<console-table
              .label=${words.table}
              .columns=${columns}
              .rows=${rows}
              .height=${240}
            ></console-table>`
      }
      <div class="row wrap">
        ${
          exploreUrl === undefined
            ? nothing
            : html`<a class="button" href=${exploreUrl}>${words.openInExplore}</a>`
        }
        <button
          class="button primary"
          ?disabled=${kept === undefined}
          title=${problem === undefined ? "" : words.notKept(problem)}
          @click=${() => void this.keep(drawn)}
        >
          ${words.keep}
        </button>
      </div>`;
  }

  private renderQuery(): TemplateResult {
    const written = this.written ?? JSON.stringify(this.shown.query, undefined, 2);
    const toggle = html`<div class="row">
      <button
        class="button quiet"
        aria-expanded=${this.isOpen ? "true" : "false"}
        @click=${() => {
          this.isOpen = !this.isOpen;
        }}
      >
        ${this.isOpen ? words.hideQuery : words.showQuery}
      </button>
    </div>`;
    if (!this.isOpen) return toggle;
    return html`${toggle}
      <div class="stack">
        <p class="muted small">${words.queryHint}</p>
        <textarea
          class="input query-text"
          aria-label=${words.query}
          spellcheck="false"
          rows=${Math.min(24, written.split("\n").length + 1)}
          .value=${written}
          aria-invalid=${this.wrong === undefined ? "false" : "true"}
          @input=${(event: Event) => {
            this.written = elementOf(event.target, HTMLTextAreaElement).value;
          }}
        ></textarea>
        ${this.wrong === undefined ? nothing : html`<span class="wrong" role="alert">${this.wrong}</span>`}
        <div class="row">
          <button class="button" @click=${() => this.askAgain()}>${words.askAgain}</button>
        </div>
      </div>`;
  }
}

const listOf = (value: unknown): readonly object[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

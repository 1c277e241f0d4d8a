import { html, LitElement, nothing, type TemplateResult } from "lit";
import { isRecord, type Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import {
  backIcon,
  createLoad,
  emptyState,
  errorState,
  notify,
  type ConsoleContext,
} from "../../parts/index.ts";
import { words } from "./words.ts";

type Json = Readonly<Record<string, unknown>>;

/** A record and its descriptions by language. */
interface Described {
  readonly resource: "securable" | "column" | "formula";
  readonly id: string;
  readonly name: unknown;
  readonly description: Json;
}

/** One suggestion: the description of a record in one language. */
interface Line {
  readonly record: Described;
  readonly language: string;
  readonly text: string;
}

/**
 * A model's suggestions for the descriptions of a dataset, next to the present descriptions. Properties: `context`,
 * `datasetId`.
 */
export class DescribeView extends LitElement {
  static override properties = {
    context: { attribute: false },
    datasetId: { attribute: false },
    lines: { state: true },
    accepted: { state: true },
    isBusy: { state: true },
    failure: { state: true },
  };
  declare context: ConsoleContext;
  declare datasetId: string;
  /** The suggestions; undefined until the model has answered. */
  declare private lines: readonly Line[] | undefined;
  declare private accepted: ReadonlySet<Line>;
  declare private isBusy: boolean;
  declare private failure: unknown;
  private running: AbortController | undefined;
  private readonly records = createLoad<readonly Described[]>(this, (signal) =>
    readDescribed(this.context.api, this.datasetId, signal),
  );

  constructor() {
    super();
    [this.accepted, this.isBusy] = [new Set(), false];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.abort();
  }

  protected override firstUpdated(): void {
    void this.records.start();
  }

  private async suggest(records: readonly Described[]): Promise<void> {
    const own = new AbortController();
    this.running = own;
    [this.isBusy, this.failure] = [true, undefined];
    try {
      const idsOf = (resource: string) =>
        records.filter((record) => record.resource === resource).map(({ id }) => ({ id }));
      const properties = {
        datasets: [{ id: this.datasetId, columns: idsOf("column"), formulas: idsOf("formula") }],
      };
      const { api } = this.context;
      const answer = await api.call(
        "generate_descriptions",
        "create",
        { properties },
        { signal: own.signal },
      );
      this.lines = linesOf(answer, records);
      this.accepted = new Set();
    } catch (failure) {
      if (!own.signal.aborted) this.failure = failure;
    }
    this.isBusy = false;
  }

  /** Stores the accepted suggestions with one update per record. Descriptions in other languages are kept. */
  private async store(): Promise<void> {
    const byRecord = Map.groupBy(this.accepted, ({ record }) => record);
    [this.isBusy, this.failure] = [true, undefined];
    let stored = 0;
    try {
      for (const [record, lines] of byRecord) {
        const added = Object.fromEntries(lines.map(({ language, text }) => [language, text]));
        const description = { ...record.description, ...added };
        await this.context.api.update(record.resource, record.id, { description });
        stored += lines.length;
        this.lines = this.lines?.filter((line) => !lines.includes(line));
        this.accepted = new Set([...this.accepted].filter((line) => !lines.includes(line)));
      }
    } catch (failure) {
      this.failure = failure;
    }
    if (stored > 0) notify({ text: words.describe.stored(stored) });
    this.isBusy = false;
    void this.records.start();
  }

  protected override render(): TemplateResult {
    return html`<div class="page ask-page">
      ${this.records.show((records) => this.renderRecords(records))}
    </div>`;
  }

  private renderRecords(records: readonly Described[]): TemplateResult {
    const [dataset] = records;
    const back = html`<a class="small back" href="/data/${encodeURIComponent(this.datasetId)}"
      >${backIcon}${words.describe.back}</a
    >`;
    if (!dataset)
      return emptyState({
        title: words.describe.gone,
        text: words.describe.goneText,
        action: back,
      });
    if (this.context.user.features?.assistant !== true)
      return emptyState({ title: words.unavailable, text: words.unavailableText, action: back });
    return html`${back}
      <header class="page-head">
        <h1 class="truncate">${words.describe.title(textOf(dataset.name) || dataset.id)}</h1>
      </header>
      <p class="muted">${words.describe.intro}</p>
      ${this.failure === undefined ? nothing : errorState(this.failure)}
      ${this.lines === undefined ? nothing : this.renderLines(this.lines)}
      <div class="row wrap">
        <button class="button" ?disabled=${this.isBusy} @click=${() => void this.suggest(records)}>
          ${this.isBusy && this.lines === undefined ? words.describe.suggesting : words.describe.suggest}
        </button>
        ${
          this.isBusy
            ? html`<button class="button quiet" @click=${() => this.running?.abort()}>
                ${words.stop}
              </button>`
            : nothing
        }
      </div>`;
  }

  private renderLines(lines: readonly Line[]): TemplateResult {
    if (lines.length === 0) return html`<p>${words.describe.same}</p>`;
    const { accepted } = this;
    const put = (line: Line, isAccepted: boolean) => {
      const others = [...accepted].filter((each) => each !== line);
      this.accepted = new Set(isAccepted ? [...others, line] : others);
    };
    const nameOf = ({ record }: Line) =>
      record.resource === "securable" ? words.describe.dataset : textOf(record.name) || record.id;
    return html`<div class="described">
        <table>
          <thead>
            <tr>
              <th>${words.describe.accept}</th>
              <th>${words.describe.of}</th>
              <th>${words.describe.now}</th>
              <th>${words.describe.suggested}</th>
            </tr>
          </thead>
          <tbody>
            ${lines.map(
              (line) =>
                html`<tr>
                  <td>
                    <input
                      type="checkbox"
                      aria-label="${words.describe.acceptThis(nameOf(line))} (${line.language})"
                      .checked=${accepted.has(line)}
                      ?disabled=${this.isBusy}
                      @change=${() => put(line, !accepted.has(line))}
                    />
                  </td>
                  <td>${nameOf(line)} <span class="muted small">${line.language}</span></td>
                  <td class="muted">${before(line) || words.describe.none}</td>
                  <td>${line.text}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <div class="row wrap">
        <button
          class="button"
          ?disabled=${this.isBusy}
          @click=${() => {
            this.accepted = new Set(lines);
          }}
        >
          ${words.describe.all}
        </button>
        <button
          class="button primary"
          ?disabled=${this.isBusy || accepted.size === 0}
          @click=${() => void this.store()}
        >
          ${words.describe.store(accepted.size)}
        </button>
      </div>`;
  }
}

/** Returns the present description in the language of a suggestion. */
function before({ record, language }: Line): string {
  const text = record.description[language];
  return typeof text === "string" ? text : "";
}

/** Returns the suggestions that differ from the present descriptions, in the order of the records. */
function linesOf(answer: Json, records: readonly Described[]): readonly Line[] {
  const properties = isRecord(answer["properties"]) ? answer["properties"] : {};
  const suggested = new Map<string, Json>();
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) collect(each);
    if (!isRecord(value)) return;
    const { id, description, columns, formulas } = value;
    if (isRecord(description)) suggested.set(String(id), description);
    collect([columns, formulas]);
  };
  collect(properties["datasets"]);
  return records.flatMap((record) =>
    Object.entries(suggested.get(record.id) ?? {}).flatMap(([language, text]) => {
      const line = { record, language, text: typeof text === "string" ? text : "" };
      return line.text === "" || line.text === before(line) ? [] : [line];
    }),
  );
}

/** Fetches a dataset, its columns and its formulas; undefined if the dataset does not exist. */
async function readDescribed(
  api: Api,
  datasetId: string,
  signal: AbortSignal,
): Promise<readonly Described[]> {
  const attributes = ["id", "name", "description"];
  const include = ["Column", "Formula"].map((model) => ({ model, attributes }));
  const where = { id: datasetId, type: "dataset" };
  const found = await api.get("securable", { where, attributes, include }, { signal });
  const [dataset] = found.rows;
  if (!dataset) return [];
  const described = (resource: Described["resource"], rows: unknown) =>
    (Array.isArray(rows) ? rows.filter(isRecord) : []).map((row): Described => {
      const { id, name, description } = row;
      return {
        resource,
        id: String(id),
        name,
        description: isRecord(description) ? description : {},
      };
    });
  return [
    ...described("securable", [dataset]),
    ...described("column", dataset["columns"]),
    ...described("formula", dataset["formulas"]),
  ];
}

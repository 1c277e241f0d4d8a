import { html, LitElement, nothing, type TemplateResult } from "lit";
import { isList, isRecord, searchOf, type Found } from "../../../api/index.ts";
import { writeNumber } from "../../../language/index.ts";
import {
  RecordList,
  confirmAndRun,
  define,
  emptyState,
  type ConsoleContext,
  type TableColumn,
} from "../../../parts/index.ts";
import { nameOfRecord, pickRecord } from "../../../records/index.ts";
import {
  describeFilter,
  nameOfColumn,
  readFilterColumns,
  type RowFilter,
} from "../../../sharing/index.ts";
import { includeOf, linkOf, rightOf, type Holder } from "./holder.ts";
import { shareWith } from "./shareWith.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
}
interface Row extends Named, Readonly<Record<string, unknown>> {
  readonly type: "dataset" | "dashboard";
  /** The filters of the share in words; undefined if the reader cannot see them. */
  readonly tests?: readonly string[] | undefined;
}

const pageRows = 100;
const addresses = { dataset: "/data/", dashboard: "/dashboards/" };

/**
 * The datasets and dashboards shared with a group or an integration, with their filters. Properties: `context`,
 * `holder`.
 */
export class SharesList extends LitElement {
  static override properties = {
    context: { attribute: false },
    holder: { attribute: false },
    version: { state: true },
  };
  declare context: ConsoleContext;
  declare holder: Holder;
  declare private version: number;

  constructor() {
    super();
    this.version = 0;
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    define("console-records", RecordList);
  }

  private find(search: string, more: object, signal?: AbortSignal): Promise<Found<Row>> {
    return this.context.api.get<Row>(
      "securable",
      {
        where: { type: ["dataset", "dashboard"], is_variant: false },
        attributes: ["id", "name", "type"],
        ...searchOf(search),
        order: [["name", "asc"]],
        ...more,
      },
      { signal },
    );
  }

  private async read(search: string, offset: number, signal?: AbortSignal): Promise<Found<Row>> {
    const include = [includeOf(this.holder)];
    const { count, rows } = await this.find(search, { include, limit: pageRows, offset }, signal);
    const filters = rows.map((row) => filtersOf(linkOf(row, this.holder)));
    const columns = await readFilterColumns(this.context.api, filters.flat(), signal);
    return {
      count,
      rows: rows.map((row, at) => ({
        ...row,
        tests: filters[at]?.map((filter) => describeFilter(filter, nameOfColumn(filter, columns))),
      })),
    };
  }

  private async add(): Promise<void> {
    const picked = await pickRecord<Row>({
      title: words.addShare,
      label: words.findShares,
      none: words.none,
      nameOf: nameOfRecord,
      noteOf: ({ type }) => words.types[type],
      read: (search) => this.find(search, { limit: 50 }),
    });
    if (picked && (await shareWith(this.context.api, this.holder, picked))) this.version += 1;
  }

  private async takeOut(row: Row): Promise<void> {
    const { resource, id } = this.holder;
    const isDone = await confirmAndRun({
      action: words.remove,
      title: words.removeNamed(nameOfRecord(row)),
      text: words.removeText(nameOfRecord(row), false),
      run: () => this.context.api.dissociate(resource, id, { role: "Securables", id: row.id }),
    });
    if (isDone) this.version += 1;
  }

  private get columns(): readonly TableColumn<Row>[] {
    return [
      {
        label: words.name,
        width: "minmax(150px, 2fr)",
        cell: (row) => html`<a href="${addresses[row.type]}${row.id}">${nameOfRecord(row)}</a>`,
      },
      { label: words.type, width: "minmax(140px, 1fr)", cell: ({ type }) => words.types[type] },
      {
        label: words.right,
        width: "minmax(90px, 1fr)",
        cell: (row) => words.rights[rightOf(linkOf(row, this.holder))],
      },
      {
        label: words.rows,
        width: "minmax(160px, 2fr)",
        cell: ({ type, tests }) =>
          type === "dashboard" || tests === undefined
            ? words.unseen
            : tests.length === 0
              ? words.everyRow
              : words.only(tests.join(", ")),
      },
      ...(this.holder.isRuled
        ? [
            {
              label: words.change,
              width: "120px",
              cell: (row: Row) =>
                html`<button
                  class="button quiet"
                  aria-label=${words.removeNamed(nameOfRecord(row))}
                  @click=${() => void this.takeOut(row)}
                >
                  ${words.remove}
                </button>`,
            },
          ]
        : []),
    ];
  }

  protected override render(): TemplateResult {
    return html`<section class="stack" aria-labelledby="shares-title">
      <h2 id="shares-title">${words.shares}</h2>
      <console-records
        id="shares"
        .label=${words.shares}
        .columns=${this.columns}
        .searchLabel=${words.searchShares}
        .version=${`${this.holder.id} ${this.version}`}
        .height=${360}
        .read=${(search: string, offset: number, signal?: AbortSignal) =>
          this.read(search, offset, signal)}
        .countText=${(count: number) => words.count(writeNumber(count))}
        .empty=${emptyState({ title: words.noShares, text: words.noSharesText })}
        .nothingFound=${emptyState({ title: words.none })}
        .tools=${
          this.holder.isRuled
            ? html`<button class="button" @click=${() => void this.add()}>
                ${words.addShare}
              </button>`
            : nothing
        }
      ></console-records>
    </section>`;
  }
}

function filtersOf({ filters }: Readonly<Record<string, unknown>>): readonly RowFilter[] {
  return isList(filters) ? filters.filter(isRowFilter) : [];
}

const isRowFilter = (value: unknown): value is RowFilter =>
  isRecord(value) &&
  ["securable_id", "column_id", "expression"].every((each) => typeof value[each] === "string");

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { isolated, textOf, writeInstant, writeNumber } from "../../../language/index.ts";
import { createLoad, emptyState, rowTable, selectField } from "../../../parts/index.ts";
import { cellWriter, type WrittenColumn } from "../../../questions/index.ts";
import { queryAs, type Pair } from "./queryAs.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
  readonly type: string | null;
}
interface Filter {
  readonly origin: keyof typeof words.fromOrigin;
  readonly column_id: string;
  readonly expression: string;
  readonly value?: unknown;
  readonly withheld?: "sensitive" | "share";
  readonly applies: boolean;
}
interface Dataset extends Named {
  readonly rights: keyof typeof words.right;
  readonly columns: readonly Named[];
  readonly hidden_columns: readonly Named[];
  readonly rows: "all" | "filtered" | "closed";
  readonly filters: readonly Filter[];
  readonly reason: string | null;
}
interface Explained {
  readonly username: string | null;
  readonly role: string | null;
  readonly expiry: string;
  readonly environment: string | null;
  readonly allowed_origins: readonly string[] | null;
  readonly allowed_addresses: readonly string[] | null;
  readonly datasets: readonly Dataset[];
  readonly dashboards: readonly (Named & { readonly rights: keyof typeof words.right })[];
  readonly missing: readonly {
    readonly id: string;
    readonly reason: keyof typeof words.missingWhy;
  }[];
  readonly token: Pair;
}
interface Live {
  readonly columns: readonly (Named & WrittenColumn)[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number;
  readonly all: number;
}

const shownRows = 50;
const missingReasons = ["issuer_does_not_see", "not_shown"] as const;
const nameOf = ({ name }: Named): string => isolated(textOf(name) || words.unnamed);

/** The rights of a token in words, next to its data as the token sees it. Properties: `api`, `key`. */
export class SeeAs extends LitElement {
  static override properties = {
    api: { attribute: false },
    key: { attribute: false },
    chosen: { state: true },
  };
  declare api: Api;
  declare key: string;
  declare private chosen: string | undefined;
  private readonly explained = createLoad(this, (signal) =>
    this.api.call<Explained>(
      "authorization",
      "explain",
      { id: this.key, options: { token: true, limit: 200 } },
      { signal },
    ),
  );
  private readonly live = createLoad(this, (signal) => this.readLive(signal));

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("key")) void this.explained.start().then(() => this.choose(undefined));
  }

  private choose(id: string | undefined): void {
    this.chosen = id ?? this.explained.value?.datasets[0]?.id;
    if (this.chosen !== undefined) void this.live.start();
  }

  private async readLive(signal: AbortSignal): Promise<Live> {
    const { value } = this.explained;
    const dataset = value?.datasets.find(({ id }) => id === this.chosen);
    if (!value || !dataset) return { columns: [], rows: [], count: 0, all: 0 };
    const column = ({ id }: Named) => ({ dataset_id: dataset.id, column_id: id });
    const count = { measures: [{ dataset_id: dataset.id, column_id: "*" }] };
    const rowsQuery = {
      dimensions: dataset.columns.map(column),
      limit: { by: shownRows },
      options: { rollup_data: false, cells: "plain" },
    };
    const ids = dataset.columns.map(({ id }) => id);
    const find = { where: { id: ids }, limit: ids.length };
    const [stored, rows, counted, all] = await Promise.all([
      this.api.get<WrittenColumn & { readonly id: string }>("column", find, { signal }),
      queryAs(value.token, rowsQuery, signal),
      queryAs(value.token, count, signal),
      this.api.call<{ readonly data: readonly (readonly unknown[])[] }>(
        "data",
        "get",
        { find: count },
        { signal },
      ),
    ]);
    const formats = new Map(stored.rows.map((each) => [each.id, each]));
    return {
      columns: dataset.columns.map((each) => ({
        ...each,
        subtype: formats.get(each.id)?.subtype ?? null,
        format: formats.get(each.id)?.format ?? null,
      })),
      rows,
      count: Number(counted[0]?.[0] ?? 0),
      all: Number(all.data[0]?.[0] ?? 0),
    };
  }

  protected override render(): TemplateResult {
    return this.explained.show(
      (explained) =>
        html`<div class="see-as">
          <section class="rights" aria-label=${words.seeAs}>
            ${this.renderRights(explained)}
          </section>
          <section class="stack" aria-labelledby="live-title">
            ${this.renderLive(explained)}
          </section>
        </div>`,
    );
  }

  private renderRights(explained: Explained): TemplateResult {
    const { datasets, dashboards, missing } = explained;
    const { username, role, expiry, environment } = explained;
    const { allowed_origins: origins, allowed_addresses: addresses } = explained;
    return html`<div class="surface right-card">
        <h2>${words.sees(datasets.length, dashboards.length)}</h2>
        <p>
          ${words.actsFor(isolated(username ?? "–"), words.roles[role ?? "viewer"] ?? String(role))}
          ${words.expiresAt(writeInstant(expiry))}
          ${environment ? words.environment(environment) : nothing}
          ${origins ? words.origins(origins.join(", ")) : nothing}
          ${addresses ? words.addresses(addresses.join(", ")) : nothing}
        </p>
      </div>
      ${datasets.map((dataset) => this.renderDataset(dataset))}
      ${
        dashboards.length > 0
          ? html`<div class="surface right-card">
              <h3>${words.dashboards}</h3>
              <ul>
                ${dashboards.map(
                  (each) =>
                    html`<li>
                      ${nameOf(each)} <span class="badge">${words.right[each.rights]}</span>
                    </li>`,
                )}
              </ul>
            </div>`
          : nothing
      }
      ${
        missing.length > 0
          ? html`<div class="surface right-card">
              <h3>${words.missing}</h3>
              <ul>
                ${missingReasons.map((reason) => {
                  const count = missing.filter((each) => each.reason === reason).length;
                  return count === 0 ? nothing : html`<li>${words.missingWhy[reason](count)}</li>`;
                })}
              </ul>
            </div>`
          : nothing
      }`;
  }

  private renderDataset(dataset: Dataset): TemplateResult {
    const { rows, filters, reason, rights, hidden_columns: hidden } = dataset;
    return html`<div class="surface right-card">
      <h3>${nameOf(dataset)} <span class="badge">${words.right[rights]}</span></h3>
      ${
        rows === "closed"
          ? html`<p>${words.rowsClosed(reason ?? "")}</p>`
          : rows === "all"
            ? html`<p>${words.rowsAll}</p>`
            : html`<p>${words.rowsFiltered}</p>
                <ul>
                  ${filters.map((filter) => html`<li>${testOf(filter, dataset)} <span class="muted small">${words.fromOrigin[filter.origin]}</span></li>`)}
                </ul>`
      }
      ${
        hidden.length > 0
          ? html`<p>
              ${words.hidden} ${hidden.map(nameOf).join(", ")}.
              <span class="muted small">${words.hiddenWhy}</span>
            </p>`
          : nothing
      }
    </div>`;
  }

  private renderLive({ datasets, dashboards, token }: Explained): TemplateResult {
    const { chosen } = this;
    return html`<div>
        <h2 id="live-title">${words.live}</h2>
        <p class="muted">${words.liveText}</p>
      </div>
      ${
        datasets.length === 0 || chosen === undefined
          ? emptyState({ title: words.noDatasets })
          : html`${selectField({
              id: "see-dataset",
              label: words.pickDataset,
              value: chosen,
              choices: datasets.map((each) => ({ value: each.id, label: nameOf(each) })),
              onSelect: (id) => this.choose(id),
            })}
            ${this.live.show((live) => renderRows(live))}`
      }
      ${
        dashboards.length === 0
          ? nothing
          : html`<console-seen-dashboards
              .dashboards=${dashboards.map((each) => ({ id: each.id, name: nameOf(each) }))}
              .pair=${token}
              .isFiltered=${datasets.some(({ rows }) => rows !== "all")}
            ></console-seen-dashboards>`
      }`;
  }
}

/** Returns a filter as a phrase, such as "region is north". */
function testOf(
  { column_id, expression, value, withheld, applies }: Filter,
  dataset: Dataset,
): string {
  const column = [...dataset.columns, ...dataset.hidden_columns].find(({ id }) => id === column_id);
  const given = withheld
    ? withheld === "sensitive"
      ? words.withheldSensitive
      : words.withheldShare
    : Array.isArray(value)
      ? isolated(value.map(String).join(", ") || "∅")
      : value === undefined || value === null
        ? ""
        : isolated(String(value));
  const operator = expression.replaceAll("?", "").trim();
  const said = operator === "=" ? words.is : operator;
  const test = `${column ? nameOf(column) : words.unnamed} ${said} ${given}`.trim();
  return applies ? test : words.cleared(test);
}

function renderRows({ columns, rows, count, all }: Live): TemplateResult {
  if (rows.length === 0) return emptyState({ title: words.noRows });
  const writers = columns.map(cellWriter);
  return html`<p>${words.rowCount(writeNumber(count), writeNumber(all))}</p>
    ${rowTable<readonly unknown[]>({
      label: words.liveRows,
      look: "surface",
      columns: columns.map((column, at) => ({
        head: nameOf(column),
        isNumeric: column.type === "numeric",
        cell: (row) => writers[at]?.(row[at]) || "–",
      })),
      rows,
    })}`;
}

import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isolated, textOf, writeNumber } from "../../../language/index.ts";
import { createLoad, type ConsoleContext } from "../../../parts/index.ts";
import {
  countRows,
  describeFilter,
  openViewAs,
  nameOfColumn,
  readFilterColumns,
  sharingWords,
  type Right,
  type RowFilter,
  type RowFilterColumns,
} from "../../../sharing/index.ts";
import { nameOf, type Person } from "./person.ts";
import { words } from "./words.ts";

interface Reason {
  readonly kind: "owner" | "user" | "group" | "integration";
  readonly id: string | null;
  readonly name: unknown;
  readonly is_public: boolean;
  readonly right: Right;
  readonly is_filtered: boolean;
  /** Null for a dataset that the reader does not own. */
  readonly filters: readonly RowFilter[] | null;
}
interface Reached {
  readonly id: string;
  readonly type: "dataset" | "dashboard";
  readonly name: unknown;
  readonly right: Right;
  readonly is_own: boolean;
  readonly reasons: readonly Reason[];
}
interface Access {
  readonly records: readonly Reached[];
  readonly unseen_count: number;
}
interface Rows {
  readonly count: number | undefined;
  readonly total: number | undefined;
}
interface Read extends Access {
  readonly columns: RowFilterColumns;
  /** Rows by dataset, for datasets that the reader owns. */
  readonly rows: ReadonlyMap<string, Rows>;
}

const addresses = { dataset: "/data/", dashboard: "/dashboards/" };
const recordName = (record: { readonly id: string; readonly name: unknown }): string =>
  textOf(record.name) || words.unnamed;
const filtersOf = ({ reasons }: Reached): readonly RowFilter[] =>
  reasons.some(({ kind }) => kind === "owner")
    ? []
    : reasons.flatMap(({ filters }) => filters ?? []);

/** Counts the rows of at most this many datasets. */
const mostCounted = 20;

/**
 * What a person can see, and why: each dataset and dashboard with the right, the shares that give it, and the rows.
 * Properties: `context`, `person`.
 */
export class AccessCard extends LitElement {
  static override properties = { context: { attribute: false }, person: { attribute: false } };
  declare context: ConsoleContext;
  declare person: Person;
  private readonly read = createLoad<Read>(this, async (signal) => {
    const { api } = this.context;
    const answer = await api.call<{ readonly rows: readonly { readonly access: Access }[] }>(
      "user",
      "explain",
      { ids: [this.person.id], options: { access: true } },
      { signal },
    );
    const access = answer.rows[0]?.access ?? { records: [], unseen_count: 0 };
    const datasets = access.records.filter(
      ({ type, is_own: isOwn }) => type === "dataset" && isOwn,
    );
    const filters = access.records.flatMap(filtersOf);
    const counted = datasets.slice(0, mostCounted).map(async (each) => {
      const filters = filtersOf(each);
      const [total, count] = await Promise.all([
        countRows(api, each.id, [], signal),
        countRows(api, each.id, filters, signal),
      ]);
      return [each.id, { total, count }] as const;
    });
    return {
      ...access,
      columns: await readFilterColumns(api, filters, signal),
      rows: new Map(await Promise.all(counted)),
    };
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("person")) void this.read.start();
  }

  protected override render(): TemplateResult {
    return html`<section class="surface access-card" aria-labelledby="person-access">
      <h2 id="person-access">${words.access}</h2>
      ${this.read.show((read) => this.renderAccess(read), 3)}
    </section>`;
  }

  private renderAccess(read: Read): TemplateResult {
    const { records, unseen_count: unseenCount } = read;
    return html`${
      records.length === 0
        ? html`<p class="muted">${words.noAccess}</p>`
        : html`<ul class="access-list reached">
            ${records.map((each) => this.renderRecord(each, read))}
          </ul>`
    }
    ${unseenCount > 0 ? html`<p class="muted">${words.unseenAccess(unseenCount)}</p>` : nothing}`;
  }

  private renderRecord(record: Reached, read: Read): TemplateResult {
    const { id, type, right, is_own: isOwn, reasons } = record;
    const { api, user } = this.context;
    const name = recordName(record);
    const maySee = type === "dashboard" && isOwn && user.role === "owner";
    return html`<li>
      <span class="grow wrap">
        <a href="${addresses[type]}${id}">${name}</a>
        <span class="badge">${words.types[type]}</span>
        <span class="badge">${sharingWords.rights[right]}</span>
        <span class="reason muted small">${reasons.map(reasonOf).join(", ")}</span>
        ${type === "dataset" ? html`<span class="reason small">${rowsOf(record, read)}</span>` : nothing}
      </span>
      ${
        maySee
          ? html`<button
              class="button quiet"
              aria-label=${words.viewAsIn(isolated(name))}
              @click=${() =>
                void openViewAs({
                  api,
                  dashboardId: id,
                  seen: { role: "Users", id: this.person.id },
                  name: nameOf(this.person),
                })}
            >
              ${sharingWords.viewAs}
            </button>`
          : nothing
      }
    </li>`;
  }
}

function reasonOf({ kind, name, is_public: isPublic }: Reason): string {
  if (kind === "owner") return words.reasons.owner;
  if (kind === "user") return words.reasons.user;
  return isPublic ? words.reasons.everyone : words.reasons[kind](isolated(textOf(name)));
}

function rowsOf(record: Reached, { columns, rows }: Read): string {
  const { is_own: isOwn, reasons, id } = record;
  const isFiltered = reasons.some((each) => each.is_filtered);
  if (!isOwn) return isFiltered ? words.someRows : words.everyRow;
  const filters = filtersOf(record);
  const found = rows.get(id);
  const tests = filters
    .map((each) => describeFilter(each, nameOfColumn(each, columns)))
    .join(words.and);
  const where = tests === "" ? "" : ` ${words.where(tests)}`;
  if (found?.count === undefined || found.total === undefined)
    return tests === "" ? words.everyRow : `${words.someRows}${where}`;
  return words.rowCount(writeNumber(found.count), writeNumber(found.total)) + where;
}

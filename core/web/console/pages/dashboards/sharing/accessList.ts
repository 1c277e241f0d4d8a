import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isolated, writeNumber } from "../../../language/index.ts";
import {
  createLoad,
  notify,
  notifyFailure,
  openDialog,
  type ConsoleContext,
} from "../../../parts/index.ts";
import { nameOf } from "../../../questions/index.ts";
import {
  countRows,
  describeFilters,
  openViewAs,
  sharesOf,
  sharingWords,
  type Access,
  type Holder,
  type RowFilter,
  type RowFilterColumns,
} from "../../../sharing/index.ts";
import { recipientName } from "./recipientName.ts";
import { endShares } from "./storeShare.ts";
import { words } from "./words.ts";

/**
 * Who has access to a dashboard now: each with the right, and with the rows of each dataset. Properties: `context`,
 * `access`, `columns`, `onChange` and `onEdit`.
 */
export class AccessList extends LitElement {
  static override properties = {
    context: { attribute: false },
    access: { attribute: false },
    columns: { attribute: false },
  };
  declare context: ConsoleContext;
  declare access: Access;
  declare columns: RowFilterColumns;
  declare onChange: () => void;
  declare onEdit: (holder: Holder) => void;
  /** Counts by dataset and filters. Shares with the same filters are counted once. */
  private readonly counts = createLoad(this, async (signal) => {
    const { api } = this.context;
    const wanted = new Map<string, readonly [string, readonly RowFilter[]]>();
    for (const { id } of this.access.datasets) wanted.set(keyOf(id, []), [id, []]);
    for (const holder of this.holders)
      for (const { id, filters } of this.rowsOf(holder))
        if (filters) wanted.set(keyOf(id, filters), [id, filters]);
    const counted = await Promise.all(
      [...wanted].map(
        async ([key, [id, filters]]) => [key, await countRows(api, id, filters, signal)] as const,
      ),
    );
    return new Map(counted);
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("access")) void this.counts.start();
  }

  /** Holders of the dashboard, and those of its datasets only. */
  private get holders(): readonly Holder[] {
    const { holders, datasets } = this.access;
    const known = new Set(holders.map(({ id }) => id));
    const others = datasets
      .flatMap((each) => each.holders ?? [])
      .filter((each) => !known.has(each.id) && known.add(each.id));
    return [...holders, ...others];
  }

  /** Returns the filters of each owned dataset that the holder sees; undefined filters if the holder sees no rows. */
  private rowsOf(holder: Holder) {
    const { datasets, memberships } = this.access;
    return datasets
      .filter(({ right }) => right === "own")
      .map((dataset) => {
        const { direct, others } = sharesOf(dataset, holder, memberships);
        const shares = [...(direct ? [direct] : []), ...others];
        const filters =
          shares.length === 0 ? undefined : shares.flatMap((each) => each.filters ?? []);
        return { id: dataset.id, name: nameOf(dataset), filters };
      });
  }

  private async takeAway(holder: Holder): Promise<void> {
    const { api } = this.context;
    const { access } = this;
    const name = isolated(recipientName(holder));
    const shared = access.datasets.filter(
      (each) => sharesOf(each, holder, []).direct !== undefined,
    );
    let isWithData = true;
    const isAgreed = await openDialog<boolean>({
      title: words.removeTitle(name),
      body: () =>
        html`<p>${words.removeText(name)}</p>
          ${
            shared.length === 0
              ? nothing
              : html`<label class="share-mode">
                  <input
                    type="checkbox"
                    checked
                    @change=${(event: Event) =>
                      (isWithData =
                        event.target instanceof HTMLInputElement && event.target.checked)}
                  />
                  <span
                    >${words.removeData(shared.map((each) => isolated(nameOf(each))).join(", "))}</span
                  >
                </label>`
          }`,
      foot: (dialog) =>
        html`<button class="button danger" @click=${() => dialog.close(true)}>
          ${words.remove}
        </button>`,
    });
    if (!isAgreed) return;
    const ended = [
      ...(access.holders.some((each) => each.id === holder.id) ? [access] : []),
      ...(isWithData ? shared : []),
    ];
    try {
      await endShares(
        api,
        holder,
        ended.map(({ id }) => id),
      );
      notify({ text: words.removed(name) });
    } catch (failure) {
      notifyFailure(failure);
    }
    this.onChange();
  }

  protected override render(): TemplateResult {
    const { owner } = this.access;
    const { holders } = this;
    return html`<ul class="share-list">
      ${
        owner
          ? html`<li>
              <span class="grow"><strong>${owner.name}</strong></span>
              <span class="badge">${words.owner}</span>
            </li>`
          : nothing
      }
      ${holders.map((each) => this.renderHolder(each))}
      ${holders.length === 0 ? html`<li class="muted">${words.onlyOwner}</li>` : nothing}
    </ul>`;
  }

  private renderHolder(holder: Holder): TemplateResult {
    const { access, context } = this;
    const name = recipientName(holder);
    const onBoard = access.holders.some((each) => each.id === holder.id);
    const maySee = !context.guest && onBoard && holder.kind !== "integration";
    const note =
      holder.kind === "user"
        ? holder.email === name
          ? ""
          : (holder.email ?? "")
        : holder.is_public
          ? ""
          : words[holder.kind];
    const role = holder.kind === "user" ? ("Users" as const) : ("Groups" as const);
    return html`<li>
      <span class="grow">
        <strong>${name}</strong>
        ${note === "" ? nothing : html`<span class="muted small">${note}</span>`}
        <span class="badge">${onBoard ? sharingWords.rights[holder.right] : words.onlyData}</span>
        ${this.rowsOf(holder).map(
          (each) =>
            html`<span class="share-rows small">${each.name}: ${this.renderRows(each)}</span>`,
        )}
      </span>
      <span class="row">
        ${
          maySee
            ? html`<button
                class="button quiet"
                aria-label=${words.viewAsOf(isolated(name))}
                @click=${() =>
                  void openViewAs({
                    api: context.api,
                    dashboardId: access.id,
                    seen: { role, id: holder.id },
                    name,
                  })}
              >
                ${words.viewAs}
              </button>`
            : nothing
        }
        <button
          class="button quiet"
          aria-label=${words.changeOf(isolated(name))}
          @click=${() => this.onEdit(holder)}
        >
          ${words.change}
        </button>
        <button
          class="button quiet danger"
          aria-label=${words.removeOf(isolated(name))}
          @click=${() => void this.takeAway(holder)}
        >
          ${words.remove}
        </button>
      </span>
    </li>`;
  }

  private renderRows({
    id,
    filters,
  }: {
    readonly id: string;
    readonly filters: readonly RowFilter[] | undefined;
  }): string {
    if (!filters) return words.seesNothing;
    const { value: counts, failure } = this.counts;
    const described =
      filters.length === 0 ? "" : ` ${words.onlyAt(describeFilters(filters, this.columns))}`;
    if (!counts || failure !== undefined)
      return filters.length === 0 ? sharingWords.modes.all : described;
    const total = counts.get(keyOf(id, []));
    const count = counts.get(keyOf(id, filters));
    if (count === undefined || total === undefined) return words.seesPersonal + described;
    if (filters.length === 0) return words.seesAll(writeNumber(total));
    return words.sees(writeNumber(count), writeNumber(total)) + described;
  }
}

const keyOf = (id: string, filters: readonly RowFilter[]): string =>
  `${id} ${JSON.stringify(filters)}`;

import { html, LitElement, svg, type PropertyValues, type TemplateResult } from "lit";
import { messageOf, type Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import {
  createLoad,
  emptyState,
  notifyFailure,
  openDialog,
  selectField,
  textField,
  type OpenDialog,
} from "../../parts/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { words } from "./words.ts";

/** A column with the columns of other datasets to which it is linked. */
export interface LinkedColumn extends ColumnRow {
  readonly joins?: readonly ColumnRow[];
}
interface Named {
  readonly id: string;
  readonly name: unknown;
}
interface Link {
  readonly column: ColumnRow;
  readonly other: ColumnRow;
}

const rowHeight = 64;
const boxHeight = 48;
const mostDatasets = 50;

/**
 * The links of a dataset as a graph whose boxes are reachable by keyboard. Properties: `api`, `datasetId`, `name`,
 * `columns`, `onChanged`.
 */
export class LinkGraph extends LitElement {
  static override properties = {
    api: { attribute: false },
    datasetId: { attribute: false },
    name: { attribute: false },
    columns: { attribute: false },
  };
  declare api: Api;
  declare datasetId: string;
  declare name: string;
  declare columns: readonly LinkedColumn[];
  declare onChanged: () => void;
  private readonly names = createLoad(this, async (signal) => {
    const ids = [...new Set(this.links.map(({ other }) => other.securable_id))];
    if (ids.length === 0) return new Map<string, string>();
    const { rows } = await this.api.get<Named>(
      "securable",
      { where: { id: { in: ids } }, attributes: ["id", "name"], limit: 1_000 },
      { signal },
    );
    return new Map(rows.map(({ id, name }) => [id, textOf(name) || id]));
  });

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has("columns")) void this.names.start();
  }

  private get links(): readonly Link[] {
    return this.columns.flatMap((column) =>
      (column.joins ?? []).map((other) => ({ column, other })),
    );
  }

  private async unlink(link: Link): Promise<void> {
    try {
      const target = { role: "Joins", id: link.other.id };
      await this.api.dissociate("column", link.column.id, target);
    } catch (failure) {
      notifyFailure(failure);
    }
    this.onChanged();
  }

  private async add(): Promise<void> {
    const { api, datasetId, columns } = this;
    if (await chooseLink(api, datasetId, columns)) this.onChanged();
  }

  protected override render(): TemplateResult {
    const { links } = this;
    return html`<div class="row">
        <p class="muted grow">${words.noLinksText}</p>
        <button class="button" @click=${() => void this.add()}>${words.addLink}</button>
      </div>
      ${
        links.length === 0
          ? emptyState({ title: words.noLinks })
          : this.names.show((names) => this.renderGraph(links, names))
      }`;
  }

  private renderGraph(links: readonly Link[], names: ReadonlyMap<string, string>): TemplateResult {
    const height = links.length * rowHeight;
    const middle = height / 2;
    return html`<div class="links">
      <div class="surface link-box own" .style=${`height: ${boxHeight}px`}>
        <strong class="truncate">${this.name}</strong>
      </div>
      <svg
        class="link-lines"
        viewBox="0 0 100 ${height}"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        ${links.map((_, at) => {
          const y = at * rowHeight + rowHeight / 2;
          return svg`<path vector-effect="non-scaling-stroke" d="M0 ${middle} C50 ${middle} 50 ${y} 100 ${y}"/>`;
        })}
      </svg>
      <ul class="link-list">
        ${links.map(
          (link) =>
            html`<li .style=${`height: ${rowHeight}px`}>
              <div class="surface link-box" .style=${`height: ${boxHeight}px`}>
                <span class="grow">
                  <a class="truncate" href="/data/${link.other.securable_id}/links"
                    >${names.get(link.other.securable_id) ?? words.unseen}</a
                  >
                  <span class="muted small truncate"
                    >${words.linkTo(textOf(link.column.name), textOf(link.other.name))}</span
                  >
                </span>
                <button
                  class="button quiet danger"
                  aria-label="${words.removeLink}: ${words.linkTo(textOf(link.column.name), textOf(link.other.name))}"
                  @click=${() => void this.unlink(link)}
                >
                  ${words.removeLink}
                </button>
              </div>
            </li>`,
        )}
      </ul>
    </div>`;
  }
}

/**
 * Lets the reader choose a column, another dataset and a column of that dataset, and links the two columns. Returns
 * whether a link was created.
 */
async function chooseLink(
  api: Api,
  datasetId: string,
  columns: readonly ColumnRow[],
): Promise<boolean> {
  const own = columns.filter(({ expression }) => expression === null);
  const datasets: readonly Named[] = [];
  const others: readonly ColumnRow[] = [];
  const state = {
    column: own[0]?.id ?? "",
    keyphrase: "",
    datasets,
    dataset: "",
    others,
    other: "",
    wrong: "",
  };
  let readCount = 0;
  const fail = (failure: unknown) => {
    state.wrong = messageOf(failure);
  };
  const readColumns = async (dialog: OpenDialog<boolean>, id: string): Promise<void> => {
    state.dataset = id;
    const found =
      id === ""
        ? { rows: [] }
        : await api.get<ColumnRow>("column", {
            where: { securable_id: id, expression: null },
            order: [["order", "asc"]],
            limit: 1_000,
          });
    state.others = found.rows;
    const name = textOf(own.find((each) => each.id === state.column)?.name);
    // A column with an equal name is suggested, because the reader will probably choose it.
    const alike = found.rows.find((each) => textOf(each.name) === name);
    state.other = (alike ?? found.rows[0])?.id ?? "";
    dialog.redraw();
  };
  const search = async (dialog: OpenDialog<boolean>): Promise<void> => {
    const mine = ++readCount;
    const { keyphrase } = state;
    const found = await api.get<Named>("securable", {
      where: { type: "dataset", id: { ne: datasetId } },
      attributes: ["id", "name"],
      order: [["updated_at", "desc"]],
      limit: mostDatasets,
      ...(keyphrase !== "" && { search: { keyphrase, match_types: ["name"] } }),
    });
    if (mine !== readCount) return;
    state.datasets = found.rows;
    await readColumns(dialog, found.rows[0]?.id ?? "");
  };
  let isOpen = false;
  const linked = await openDialog<boolean>({
    title: words.addLink,
    body(dialog) {
      if (!isOpen) void search(dialog).catch(fail);
      isOpen = true;
      const choiceOf = ({ id, name }: Named) => ({ value: id, label: textOf(name) || id });
      return html`<p class="muted">${words.addLinkText}</p>
        ${selectField({ id: "link-column", label: words.column, value: state.column, choices: own.map(choiceOf), onSelect: (id) => (state.column = id) })}
        ${textField({
          id: "link-search",
          label: words.search,
          type: "search",
          value: state.keyphrase,
          onInput(value) {
            state.keyphrase = value;
            void search(dialog).catch(fail);
          },
        })}
        ${selectField({ id: "link-dataset", label: words.otherDataset, value: state.dataset, choices: state.datasets.map(choiceOf), onSelect: (id) => void readColumns(dialog, id).catch(fail) })}
        ${selectField({ id: "link-other", label: words.otherColumn, value: state.other, wrong: state.wrong, choices: state.others.map(choiceOf), onSelect: (id) => (state.other = id) })}`;
    },
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close(false)}>${words.cancel}</button>
        <button
          class="button primary"
          ?disabled=${state.column === "" || state.other === ""}
          @click=${() =>
            void api
              .associate("column", state.column, { role: "Joins", id: state.other })
              .then(() => dialog.close(true))
              .catch((failure: unknown) => {
                fail(failure);
                dialog.redraw();
              })}
        >
          ${words.addLink}
        </button>`,
  });
  return linked === true;
}

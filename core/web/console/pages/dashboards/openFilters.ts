import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import {
  closeIcon,
  elementOf,
  errorState,
  loadingState,
  openDialog,
  selectField,
  type OpenDialog,
} from "../../parts/index.ts";
import {
  describeFilter,
  nameOf,
  openFilter,
  readDataset,
  signOf,
  type ExploredColumn,
  type ExploredDataset,
} from "../../questions/index.ts";
import { filtersIn, withFilter, withoutFilter, type FilterScope } from "./boardFilters.ts";
import { datasetIdsOf, type BoardItem, type Contents } from "./contents.ts";
import { newFilterItem } from "./newFilterItem.ts";
import { words } from "./words.ts";

/** A filter that readers can change, or one that always applies. */
type FilterUse = "readers" | "always";

export interface FiltersOptions {
  readonly api: Api;
  readonly title: string;
  readonly contents: () => Contents;
  /** Returns the scope in the current contents. */
  readonly scope: () => FilterScope;
  onChange(contents: Contents): void;
  /** Adds a filter that readers can change. Absent: the dialog offers only filters that always apply. */
  readonly onAdd?: ((item: Omit<BoardItem, "position">) => void) | undefined;
}

/** Fetches the datasets used by items of the contents that the reader can query. */
async function readBoardDatasets(
  api: Api,
  contents: Contents,
): Promise<readonly ExploredDataset[]> {
  const found = await Promise.all(datasetIdsOf(contents).map((id) => readDataset(api, id)));
  return found.filter((dataset) => dataset !== undefined);
}

/**
 * Lets the author choose a column to filter by: readers change the filter in the bar, or it always applies. Lists the
 * filters that always apply, which the author can remove. Each change is one undo step.
 */
export async function openFilters(options: FiltersOptions): Promise<void> {
  const { api, title, contents, scope, onChange, onAdd } = options;
  let datasets: readonly ExploredDataset[] | undefined;
  let failure: unknown;
  let [datasetId, search] = ["", ""];
  let use: FilterUse = onAdd ? "readers" : "always";
  const read = async (redraw: () => void) => {
    try {
      datasets = await readBoardDatasets(api, contents());
      datasetId = datasets[0]?.id ?? "";
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  let isAsked = false;
  const columnOf = (ofDataset: string, id: string) =>
    datasets
      ?.find((dataset) => dataset.id === ofDataset)
      ?.columns.find((column) => column.id === id);
  const listed = (redraw: () => void): TemplateResult | typeof nothing => {
    const filters = filtersIn(contents(), scope());
    if (filters.length === 0) return nothing;
    return html`<section class="stack always-filters" aria-label=${words.alwaysFilters}>
      <h3>${words.alwaysFilters}</h3>
      <ul class="versions">
        ${filters.map((filter) => {
          const column = columnOf(filter.datasetId, filter.id);
          const label = describeFilter(filter, column ? nameOf(column) : filter.id);
          return html`<li>
            <span class="grow">${label}</span>
            <button
              class="button quiet icon"
              aria-label=${words.removeFilter(label)}
              @click=${() => {
                onChange(withoutFilter(contents(), scope(), filter));
                redraw();
              }}
            >
              ${closeIcon}
            </button>
          </li>`;
        })}
      </ul>
    </section>`;
  };
  const choose = async (dialog: OpenDialog<void>, column: ExploredColumn) => {
    const dataset = datasets?.find(({ id }) => id === datasetId);
    if (!dataset) return;
    if (use === "readers") {
      dialog.close();
      onAdd?.(newFilterItem(dataset, column));
      return;
    }
    const filter = await openFilter({ api, datasetId, column });
    if (filter) onChange(withFilter(contents(), scope(), datasetId, filter));
    dialog.redraw();
  };
  await openDialog({
    title,
    body: (dialog) => {
      const redraw = () => dialog.redraw();
      if (!isAsked) {
        isAsked = true;
        void read(redraw);
      }
      if (failure !== undefined) return errorState(failure);
      if (!datasets) return loadingState();
      if (datasets.length === 0) return html`<p class="muted">${words.filtersNeedChart}</p>`;
      const needle = search.trim().toLocaleLowerCase();
      const columns = (datasets.find(({ id }) => id === datasetId)?.columns ?? []).filter((each) =>
        nameOf(each).toLocaleLowerCase().includes(needle),
      );
      return html`${
          onAdd
            ? useField(use, (chosen) => {
                use = chosen;
                redraw();
              })
            : nothing
        }
        ${
          datasets.length > 1
            ? selectField({
                id: "filters-dataset",
                label: words.dataset,
                value: datasetId,
                choices: datasets.map((each) => ({ value: each.id, label: nameOf(each) })),
                onSelect: (value) => {
                  datasetId = value;
                  redraw();
                },
              })
            : nothing
        }
        <div class="filter-columns">
          <input
            class="input"
            type="search"
            aria-label=${words.searchColumns}
            placeholder=${words.searchColumns}
            @input=${(event: Event) => {
              search = elementOf(event.target, HTMLInputElement).value;
              redraw();
            }}
          />
          <div class="column-kinds" role="group" aria-label=${words.column}>
            ${columns.map(
              (column) =>
                html`<button class="column" @click=${() => void choose(dialog, column)}>
                  <span class="sign" aria-hidden="true">${signOf[column.type]}</span>
                  <span class="grow truncate">${nameOf(column)}</span>
                </button>`,
            )}
          </div>
          ${columns.length === 0 ? html`<p class="muted">${words.noColumns}</p>` : nothing}
        </div>
        ${listed(redraw)}`;
    },
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.done}</button>`,
  });
}

/** A choice between filters that readers change, and filters that always apply. */
function useField(use: FilterUse, onChoose: (use: FilterUse) => void): TemplateResult {
  return html`<fieldset class="filter-use">
    <legend class="visually-hidden">${words.filterUse}</legend>
    ${(["readers", "always"] as const).map(
      (each) =>
        html`<label>
          <input
            type="radio"
            name="filter-use"
            .checked=${each === use}
            @change=${() => onChoose(each)}
          />
          <span>
            <strong>${words.filterUses[each]}</strong>
            <span class="muted small">${words.filterUseTexts[each]}</span>
          </span>
        </label>`,
    )}
  </fieldset>`;
}

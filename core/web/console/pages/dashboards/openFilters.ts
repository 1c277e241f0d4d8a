import { html, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { closeIcon, errorState, loadingState, openDialog, selectField } from "../../parts/index.ts";
import {
  describeFilter,
  nameOf,
  openFilter,
  readDataset,
  type ExploredDataset,
} from "../../questions/index.ts";
import { filtersIn, withFilter, withoutFilter, type FilterScope } from "./boardFilters.ts";
import { datasetIdsOf, type Contents } from "./contents.ts";
import { words } from "./words.ts";

export interface FiltersOptions {
  readonly api: Api;
  readonly title: string;
  readonly contents: () => Contents;
  /** Returns the scope in the current contents. */
  readonly scope: () => FilterScope;
  onChange(contents: Contents): void;
}

/** Fetches the datasets used by items of the contents that the reader can query. */
export async function readBoardDatasets(
  api: Api,
  contents: Contents,
): Promise<readonly ExploredDataset[]> {
  const found = await Promise.all(datasetIdsOf(contents).map((id) => readDataset(api, id)));
  return found.filter((dataset) => dataset !== undefined);
}

/** Shows the filters of a dashboard or an item, which the reader can add and remove. Each change is one undo step. */
export async function openFilters(options: FiltersOptions): Promise<void> {
  const { api, title, contents, scope, onChange } = options;
  let datasets: readonly ExploredDataset[] | undefined;
  let failure: unknown;
  let [datasetId, columnId] = ["", ""];
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
  const listed = (redraw: () => void): TemplateResult => {
    const filters = filtersIn(contents(), scope());
    if (filters.length === 0) return html`<p class="muted">${words.noFilters}</p>`;
    return html`<ul class="versions">
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
    </ul>`;
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
      const columns = datasets.find(({ id }) => id === datasetId)?.columns ?? [];
      const known = columns.some(({ id }) => id === columnId);
      const chosenId = known ? columnId : (columns[0]?.id ?? "");
      return html`${listed(redraw)}
        ${selectField({
          id: "filters-dataset",
          label: words.dataset,
          value: datasetId,
          choices: datasets.map((each) => ({ value: each.id, label: nameOf(each) })),
          onSelect: (value) => {
            datasetId = value;
            redraw();
          },
        })}
        ${selectField({
          id: "filters-column",
          label: words.column,
          value: chosenId,
          choices: columns.map((each) => ({ value: each.id, label: nameOf(each) })),
          onSelect: (value) => {
            columnId = value;
            redraw();
          },
        })}
        <button
          class="button"
          ?disabled=${columns.length === 0}
          @click=${async () => {
            const column = columnOf(datasetId, chosenId);
            if (!column) return;
            const filter = await openFilter({ api, datasetId, column });
            if (filter) onChange(withFilter(contents(), scope(), datasetId, filter));
            redraw();
          }}
        >
          ${words.addFilter}
        </button>`;
    },
    foot: (dialog) =>
      html`<button class="button primary" @click=${() => dialog.close()}>${words.done}</button>`,
  });
}

import { html } from "lit";
import type { ItemType } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { errorState, loadingState, openDialog, selectField } from "../../parts/index.ts";
import {
  itemTitle,
  nameOf,
  type ExploredColumn,
  type ExploredDataset,
} from "../../questions/index.ts";
import type { BoardItem, Contents } from "./contents.ts";
import { readBoardDatasets } from "./openFilters.ts";
import { words } from "./words.ts";

/** The controls that are available for each column type. */
const controlsOf = {
  hierarchy: ["slicer-filter", "dropdown-filter", "search-filter"],
  numeric: ["slider-filter"],
  datetime: ["date-filter", "date-comparison-filter"],
} as const satisfies Readonly<Record<ExploredColumn["type"], readonly ItemType[]>>;

/** Opens the form for a control with which viewers filter the other items. Undefined if the reader closes it. */
export function openNewFilterItem(
  api: Api,
  contents: Contents,
): Promise<Omit<BoardItem, "position"> | undefined> {
  let datasets: readonly ExploredDataset[] | undefined;
  let failure: unknown;
  let isAsked = false;
  let [datasetId, columnId, type] = ["", "", ""];
  const read = async (redraw: () => void) => {
    try {
      datasets = await readBoardDatasets(api, contents);
    } catch (reason) {
      failure = reason;
    }
    redraw();
  };
  const chosen = () => {
    const dataset = datasets?.find(({ id }) => id === datasetId) ?? datasets?.[0];
    const column = dataset?.columns.find(({ id }) => id === columnId) ?? dataset?.columns[0];
    const controls: readonly ItemType[] = column ? controlsOf[column.type] : [];
    const control = controls.find((each) => each === type) ?? controls[0];
    return { dataset, column, controls, control };
  };
  return openDialog<Omit<BoardItem, "position">>({
    title: words.addControl,
    body: (dialog) => {
      if (!isAsked) {
        isAsked = true;
        void read(() => dialog.redraw());
      }
      if (failure !== undefined) return errorState(failure);
      if (!datasets) return loadingState();
      if (datasets.length === 0) return html`<p class="muted">${words.filtersNeedChart}</p>`;
      const { dataset, column, controls, control } = chosen();
      const named = (each: ExploredDataset | ExploredColumn) => ({
        value: each.id,
        label: nameOf(each),
      });
      return html`<p class="muted">${words.addControlText}</p>
        ${selectField({
          id: "control-dataset",
          label: words.dataset,
          value: dataset?.id ?? "",
          choices: datasets.map(named),
          onSelect: (value) => {
            datasetId = value;
            dialog.redraw();
          },
        })}
        ${selectField({
          id: "control-column",
          label: words.column,
          value: column?.id ?? "",
          choices: (dataset?.columns ?? []).map(named),
          onSelect: (value) => {
            columnId = value;
            dialog.redraw();
          },
        })}
        ${selectField({
          id: "control-type",
          label: words.control,
          value: control ?? "",
          choices: controls.map((value) => ({ value, label: itemTitle(value) })),
          onSelect: (value) => {
            type = value;
          },
        })}`;
    },
    foot: (dialog) =>
      html`<button
        class="button primary"
        ?disabled=${chosen().control === undefined}
        @click=${() => {
          const { dataset, column, control } = chosen();
          if (!dataset || !column || !control) return;
          const { id, name, type: columnType, subtype } = column;
          const field = {
            datasetId: dataset.id,
            columnId: id,
            type: columnType,
            ...(subtype !== null && { subtype }),
            label: name,
          };
          dialog.close({
            id: crypto.randomUUID(),
            type: control,
            options: { title: name },
            slots: [{ name: "dimension", content: [field] }],
          });
        }}
      >
        ${words.addControl}
      </button>`,
  });
}

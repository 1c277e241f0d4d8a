import { html, type TemplateResult } from "lit";
import { searchOf, type Api } from "../../api/index.ts";
import { nameOfRecord, pickRecord } from "../../records/index.ts";
import { words } from "./words.ts";

interface ListedDataset {
  readonly id: string;
  readonly name: unknown;
}

const mostListed = 50;

const readDatasets = (api: Api, text: string, limit: number, signal?: AbortSignal) =>
  api.get<ListedDataset>(
    "securable",
    {
      where: { type: "dataset" },
      ...searchOf(text),
      attributes: ["id", "name"],
      order: [["modified_at", "desc"]],
      limit,
    },
    signal && { signal },
  );

/** Lets the reader choose a dataset by its name. Undefined if the reader closes the dialog. */
export const pickDataset = (api: Api): Promise<ListedDataset | undefined> =>
  pickRecord<ListedDataset>({
    title: words.chooseDataset,
    label: words.searchDatasets,
    none: words.noDatasets,
    nameOf: nameOfRecord,
    read: (text) => readDatasets(api, text, mostListed),
  });

/** Returns the id of the only dataset that the reader can see; undefined if there is none or another. */
export async function readOnlyDataset(api: Api, signal: AbortSignal): Promise<string | undefined> {
  const { rows } = await readDatasets(api, "", 2, signal);
  const [only, other] = rows;
  return other ? undefined : only?.id;
}

/** The dataset of a new chart, as a button that lets the reader choose another. `name` is "" before a choice. */
export const datasetField = ({
  name,
  onChoose,
}: {
  readonly name: string;
  onChoose(): void;
}): TemplateResult =>
  html`<div class="field">
    <span class="label" id="item-dataset-label">${words.dataset}</span>
    <button
      class="button dataset-choice"
      id="item-dataset"
      aria-labelledby="item-dataset-label item-dataset"
      aria-haspopup="dialog"
      @click=${onChoose}
    >
      <span class="truncate">${name === "" ? words.chooseDataset : name}</span>
    </button>
  </div>`;

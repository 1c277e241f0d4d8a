import { html, nothing, type TemplateResult } from "lit";
import type { Api } from "../../../api/index.ts";
import { writeNumber } from "../../../language/index.ts";
import { openForm, selectField } from "../../../parts/index.ts";
import { nameOfRecord } from "../../../records/index.ts";
import {
  countRows,
  filtersOf,
  firstChoice,
  isComplete,
  readPickedColumns,
  rowFields,
} from "../../../sharing/index.ts";
import { flagsOf, type Holder, type Right } from "./holder.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
}

/**
 * The rights that the form offers. Members who can read a dataset can also query it, so "read" would be a third name.
 */
const given = ["use", "modify"] as const satisfies readonly Right[];

/**
 * Opens the form to share a record with a group or an integration. The reader chooses the right and, for a dataset, the
 * rows by their values, and sees how many rows these are. Returns whether the record was shared.
 */
export async function shareWith(
  api: Api,
  { resource, id }: Holder,
  record: Named & { readonly type: string },
): Promise<boolean> {
  const isDataset = record.type === "dataset";
  const [columns, total] = isDataset
    ? await Promise.all([readPickedColumns(api, record.id), countRows(api, record.id, [])])
    : [[], undefined];
  let choice = firstChoice({
    datasetId: record.id,
    stored: undefined,
    isNew: true,
    columns: new Map(),
  });
  /** Undefined while the rows are counted, null if they could not be counted. */
  let count: number | undefined | null = total;
  const labels = words.rightsOn[isDataset ? "dataset" : "dashboard"];
  let right: (typeof given)[number] = "use";
  const note = (): TemplateResult =>
    !isComplete(choice)
      ? html`<span class="muted">${words.chooseValues}</span>`
      : count === undefined
        ? html`<span class="muted">${words.counting}</span>`
        : count === null
          ? html`<span class="muted">${words.uncounted}</span>`
          : html`${words.sees(writeNumber(count), writeNumber(total ?? 0))}`;
  const isShared = await openForm<true>({
    title: words.shareTitle(nameOfRecord(record)),
    action: words.share,
    isComplete: () => isComplete(choice),
    body: ({ wrong, redraw }) =>
      html`${selectField({
        id: "share-right",
        label: words.right,
        value: right,
        wrong,
        choices: given.map((value) => ({ value, label: labels[value] })),
        onSelect(value) {
          right = given.find((each) => each === value) ?? right;
        },
      })}
      ${
        isDataset
          ? rowFields({
              api,
              name: words.rows,
              choice,
              modes: ["all", "some"],
              columns,
              note: note(),
              onChange(next) {
                choice = next;
                count = undefined;
                redraw();
                const filters = filtersOf(next);
                if (!filters) return;
                void countRows(api, record.id, filters)
                  // The number only informs; the share does not depend on it.
                  .catch(() => null)
                  .then((counted) => {
                    if (choice !== next) return;
                    count = counted ?? null;
                    redraw();
                  });
              },
            })
          : nothing
      }`,
    async save() {
      const filters = filtersOf(choice) ?? [];
      await api.associate(
        resource,
        id,
        { role: "Securables", id: record.id },
        { ...flagsOf(right), ...(filters.length > 0 && { filters }) },
      );
      return true;
    },
  });
  return isShared === true;
}

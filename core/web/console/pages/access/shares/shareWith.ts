import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import { openForm, selectField, textField } from "../../../parts/index.ts";
import { flagsOf, type Holder, type Right } from "./holder.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
}

const given: readonly Right[] = ["read", "use", "modify"];
const mostColumns = 1_000;

/**
 * Opens the form to share a record with a group or an integration. The reader chooses the right and, for a dataset, the
 * filters on its rows. Returns whether the record was shared.
 */
export async function shareWith(
  api: Api,
  { resource, id }: Holder,
  record: Named & { readonly type: string },
): Promise<boolean> {
  const columns =
    record.type === "dataset"
      ? (
          await api.get<Named>("column", {
            where: { securable_id: record.id, type: "hierarchy" },
            attributes: ["id", "name"],
            limit: mostColumns,
          })
        ).rows
      : [];
  const state = { columnId: "", value: "" };
  let right: Right = record.type === "dataset" ? "use" : "read";
  const isShared = await openForm<true>({
    title: words.shareTitle(textOf(record.name) || record.id),
    action: words.share,
    body: ({ wrong }) =>
      html`${selectField({
        id: "share-right",
        label: words.right,
        value: right,
        wrong,
        choices: given.map((value) => ({ value, label: words.rights[value] })),
        onSelect(value) {
          right = given.find((each) => each === value) ?? right;
        },
      })}
      ${
        columns.length === 0
          ? nothing
          : selectField({
              id: "share-column",
              label: words.filterColumn,
              value: state.columnId,
              choices: [
                { value: "", label: words.everyRow },
                ...columns.map((each) => ({
                  value: each.id,
                  label: `${textOf(each.name) || each.id} ${words.is}`,
                })),
              ],
              onSelect: (value) => (state.columnId = value),
            })
      }
      ${
        state.columnId === ""
          ? nothing
          : textField({
              id: "share-value",
              label: words.value,
              value: state.value,
              onInput: (value) => (state.value = value),
            })
      }`,
    async save() {
      const filter = {
        securable_id: record.id,
        column_id: state.columnId,
        expression: "? = ?",
        value: state.value,
      };
      await api.associate(
        resource,
        id,
        { role: "Securables", id: record.id },
        { ...flagsOf(right), ...(state.columnId !== "" && { filters: [filter] }) },
      );
      return true;
    },
  });
  return isShared === true;
}

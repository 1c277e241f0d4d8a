import { html, nothing } from "lit";
import type { Api } from "../../../api/index.ts";
import { textOf } from "../../../language/index.ts";
import {
  entriesOf,
  listField,
  openForm,
  selectField,
  showPair,
  textField,
} from "../../../parts/index.ts";
import { words } from "./words.ts";

interface Named {
  readonly id: string;
  readonly name: unknown;
}

interface Made {
  readonly id: string;
  readonly token: string;
}

/**
 * Opens the form for the limits of an embed token and issues it. Returns its key, to open the view "See as this token";
 * undefined if the reader closes the form.
 */
export async function issueToken(api: Api): Promise<string | undefined> {
  const find = { where: { type: "dataset" }, attributes: ["id", "name"], limit: 200 };
  const { rows: datasets } = await api.get<Named>("securable", find);
  const chosen = new Set<string>();
  const state = { username: "", hours: "24", columnId: "", value: "", origins: "", addresses: "" };
  let columns: readonly (Named & { readonly securable_id: string })[] = [];
  const readColumns = async (): Promise<void> => {
    const where = { securable_id: { in: [...chosen] }, type: "hierarchy" };
    columns =
      chosen.size === 0
        ? []
        : (await api.get<(typeof columns)[number]>("column", { where, limit: 200 })).rows;
    if (!columns.some(({ id }) => id === state.columnId)) state.columnId = "";
  };
  const made = await openForm<Made>({
    title: words.issueTitle,
    action: words.issue,
    members: ["username", "expiry", "allowed_origins", "allowed_addresses"],
    body: ({ wrong, mistakeOf, redraw }) =>
      html`${textField({
          id: "issue-username",
          label: words.username,
          hint: words.usernameHint,
          value: state.username,
          wrong: mistakeOf("username") ?? wrong,
          onInput: (value) => (state.username = value),
        })}
        <div class="field">
          <span class="label" id="issue-datasets">${words.datasets}</span>
          <div class="check-list" role="group" aria-labelledby="issue-datasets">
            ${datasets.map(
              (each) =>
                html`<label class="check"
                  ><input
                    type="checkbox"
                    .checked=${chosen.has(each.id)}
                    @change=${() => {
                      if (!chosen.delete(each.id)) chosen.add(each.id);
                      void readColumns().then(redraw);
                    }}
                  />${textOf(each.name) || each.id}</label
                >`,
            )}
          </div>
        </div>
        ${selectField({
          id: "issue-column",
          label: words.filterColumn,
          value: state.columnId,
          choices: [
            { value: "", label: words.everyRow },
            ...columns.map((each) => ({
              value: each.id,
              label: `${textOf(each.name)} ${words.is}`,
            })),
          ],
          onSelect: (value) => (state.columnId = value),
        })}
        ${
          state.columnId === ""
            ? nothing
            : textField({
                id: "issue-value",
                label: words.value,
                value: state.value,
                onInput: (value) => (state.value = value),
              })
        }
        ${textField({
          id: "issue-hours",
          label: words.hours,
          type: "number",
          value: state.hours,
          wrong: mistakeOf("expiry"),
          onInput: (value) => (state.hours = value),
        })}
        ${listField({
          id: "issue-origins",
          label: words.originList,
          hint: words.originListHint,
          value: state.origins,
          wrong: mistakeOf("allowed_origins"),
          onInput: (value) => (state.origins = value),
        })}
        ${listField({
          id: "issue-addresses",
          label: words.addressList,
          hint: words.addressListHint,
          value: state.addresses,
          wrong: mistakeOf("allowed_addresses"),
          onInput: (value) => (state.addresses = value),
        })}`,
    save() {
      const filtered = columns.find(({ id }) => id === state.columnId);
      const [origins, addresses] = [entriesOf(state.origins), entriesOf(state.addresses)];
      return api.create<Made>("authorization", {
        type: "embed",
        username: state.username,
        expiry: `${Number(state.hours) || 24} hours`,
        access: { datasets: [...chosen].map((id) => ({ id, rights: "use" })) },
        ...(origins.length > 0 && { allowed_origins: origins }),
        ...(addresses.length > 0 && { allowed_addresses: addresses }),
        ...(filtered && {
          filters: [
            {
              clause: "where",
              origin: "global",
              securable_id: filtered.securable_id,
              column_id: filtered.id,
              expression: "? = ?",
              value: state.value,
            },
          ],
        }),
      });
    },
  });
  if (!made) return undefined;
  const said = { title: words.issueTitle, text: words.issuedText, action: words.seeAs };
  const isOpened = await showPair({ key: made.id, token: made.token }, said);
  return isOpened ? made.id : undefined;
}

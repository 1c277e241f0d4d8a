import { html } from "lit";
import {
  objectOf,
  placeItem,
  queryOf,
  readColumns,
  readItem,
  titleOf,
} from "../../charts/index.ts";
import type { Api } from "../api/index.ts";
import { localized, readerLocale, readerZone, textOf } from "../language/index.ts";
import { notifyFailure, openForm, selectField, textField } from "../parts/index.ts";
import type { StoredItem } from "./itemOf.ts";
import { savingWords as words } from "./savingWords.ts";

interface ListedDashboard {
  readonly id: string;
  readonly name: unknown;
}

/** Filters of an item, in the format of the data service. */
export interface KeptFilters {
  readonly where: readonly object[];
  readonly having?: readonly object[];
}

const mostListed = 500;
/** The dashboard to which the last chart was saved. People often save several charts to one dashboard. */
let lastSaved = "";

/**
 * Lets the reader choose a dashboard and stores an item there. Preselects `dashboardId`, or else the dashboard of the
 * last save, or else a new dashboard. Returns the dashboard; undefined if the reader closes the form.
 */
export async function saveToDashboard(
  api: Api,
  item: StoredItem,
  filters: KeptFilters,
  dashboardId?: string,
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await api.get<ListedDashboard>("securable", {
    where: { type: "dashboard", is_variant: false },
    attributes: ["id", "name"],
    order: [["modified_at", "desc"]],
    limit: mostListed,
  });
  const wanted = rows.find((each) => each.id === (dashboardId || lastSaved));
  const derived = nameFrom(item);
  let [id, name, title] = [wanted?.id ?? "", derived, derived];
  const chosen = await openForm<true>({
    title: words.saveTitle,
    action: words.saveAction,
    body: () =>
      html`${selectField({
        id: "save-dashboard",
        label: words.dashboard,
        value: id,
        choices: [
          ...rows.map((each) => ({ value: each.id, label: textOf(each.name) || each.id })),
          { value: "", label: words.newDashboard },
        ],
        onSelect: (value) => (id = value),
      })}
      ${
        id === ""
          ? textField({
              id: "save-name",
              label: words.dashboardName,
              value: name,
              onInput: (value) => (name = value),
            })
          : ""
      }
      ${textField({
        id: "save-title",
        label: words.chartTitle,
        value: title,
        onInput: (value) => (title = value),
      })}`,
    save: () => Promise.resolve(true),
  });
  if (!chosen) return undefined;
  const titled = withTitle(item, title.trim());
  try {
    if (id === "") {
      const made = await createWith(api, name.trim() || derived, titled, filters);
      lastSaved = made.id;
      return made;
    }
    const found = await api.get<{ readonly contents: unknown }>("securable", {
      where: { id },
      attributes: ["contents"],
    });
    const contents = withItem(found.rows[0]?.contents, titled, filters);
    await api.update("securable", id, { contents });
    lastSaved = id;
    return { id, name: textOf(rows.find((each) => each.id === id)?.name) || id };
  } catch (failure) {
    notifyFailure(failure);
    return undefined;
  }
}

/** Returns an item with a title; an empty one leaves the item its own. */
function withTitle(item: StoredItem, title: string): StoredItem {
  const { options } = item;
  if (title === "" || title === textOf(options["title"])) return item;
  return { ...item, options: { ...options, title: { ...objectOf(options["title"]), en: title } } };
}

/** Suggests a name for a new dashboard from its first item. */
function nameFrom(stored: StoredItem): string {
  const item = readItem(stored);
  const fields = queryOf(item)?.fields ?? [];
  const request = { fields, localeId: readerLocale, timezoneId: readerZone };
  return titleOf(item, readColumns(request), readerLocale) || words.newDashboard;
}

async function createWith(
  api: Api,
  name: string,
  item: StoredItem,
  filters: KeptFilters,
): Promise<{ readonly id: string; readonly name: string }> {
  const contents = withItem({}, item, filters);
  const properties = { type: "dashboard", name: localized(name), contents };
  const { id } = await api.create<{ readonly id: string }>("securable", properties);
  return { id, name };
}

/** Adds an item to the contents of a dashboard under a new id. */
function withItem(contents: unknown, item: StoredItem, filters: KeptFilters) {
  return placeItem(objectOf(contents), { ...filters, item: { ...item, id: crypto.randomUUID() } });
}

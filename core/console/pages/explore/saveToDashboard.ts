import { html } from "lit";
import type { Api } from "../../api/index.ts";
import { textOf } from "../../language/index.ts";
import { notifyFailure, openDialog, selectField, textField } from "../../parts/index.ts";
import type { StoredItem } from "../../questions/index.ts";
import { words } from "./words.ts";

interface Position {
  readonly row: number;
  readonly col: number;
  readonly sizeX: number;
  readonly sizeY: number;
}
interface View {
  readonly screenModus: string;
  readonly items?: readonly { readonly position?: Partial<Position> }[];
  readonly filterGroups?: readonly object[];
  readonly options?: object;
}
interface Contents {
  readonly version?: string;
  readonly parameters?: readonly object[];
  readonly views?: readonly View[];
}
interface ListedDashboard {
  readonly id: string;
  readonly name: unknown;
}

/** Rows and columns of a new item, in the grid of 48 columns that dashboards have. */
const itemSize = { sizeX: 24, sizeY: 20 };
const mostListed = 500;

/** Asks where an item goes and stores it there. Returns the dashboard; undefined when the reader closes. */
export async function saveToDashboard(
  api: Api,
  item: StoredItem,
  filters: readonly object[],
): Promise<{ readonly id: string; readonly name: string } | undefined> {
  const { rows } = await api.get<ListedDashboard>("securable", {
    where: { type: "dashboard", is_variant: false },
    attributes: ["id", "name"],
    order: [["modified_at", "desc"]],
    limit: mostListed,
  });
  let [id, name] = [rows[0]?.id ?? "", ""];
  const chosen = await openDialog<boolean>({
    title: words.saveTitle,
    body: (dialog) =>
      html`${selectField({
        id: "save-dashboard",
        label: words.dashboard,
        value: id,
        choices: [
          ...rows.map((each) => ({ value: each.id, label: textOf(each.name) || each.id })),
          { value: "", label: words.newDashboard },
        ],
        onSelect: (value) => {
          id = value;
          dialog.redraw();
        },
      })}
      ${
        id === ""
          ? textField({
              id: "save-name",
              label: words.dashboardName,
              value: name,
              onInput: (value) => {
                name = value;
              },
            })
          : ""
      }`,
    foot: (dialog) =>
      html`<button class="button" @click=${() => dialog.close()}>${words.cancel}</button>
        <button class="button primary" @click=${() => dialog.close(true)}>
          ${words.saveAction}
        </button>`,
  });
  if (!chosen) return undefined;
  try {
    if (id === "") return await createWith(api, name.trim() || words.untitled, item, filters);
    const found = await api.get<{ readonly contents: Contents | null }>("securable", {
      where: { id },
      attributes: ["contents"],
    });
    const contents = withItem(found.rows[0]?.contents ?? {}, item, filters);
    await api.update("securable", id, { contents });
    return { id, name: textOf(rows.find((each) => each.id === id)?.name) || id };
  } catch (failure) {
    notifyFailure(failure);
    return undefined;
  }
}

async function createWith(
  api: Api,
  name: string,
  item: StoredItem,
  filters: readonly object[],
): Promise<{ readonly id: string; readonly name: string }> {
  const contents = withItem({}, item, filters);
  const properties = { type: "dashboard", name: { en: name }, contents };
  const { id } = await api.create<{ readonly id: string }>("securable", properties);
  return { id, name };
}

/** Puts an item below all others of the widest view. Its filters are a group of its own, as dashboards store them. */
function withItem(contents: Contents, item: StoredItem, filters: readonly object[]): Contents {
  const known = contents.views ?? [];
  const views: readonly View[] = known.length > 0 ? known : [{ screenModus: "desktop" }];
  const target = views.find(({ screenModus }) => screenModus === "desktop") ?? views[0];
  const position = freePlace(target?.items ?? []);
  const id = crypto.randomUUID();
  const placed = { ...item, id, position };
  const group = {
    id: crypto.randomUUID(),
    origin: "itemFilter",
    itemId: id,
    condition: "and",
    filters: filters.map((each) => ({ ...each, properties: { type: "where", itemId: id } })),
  };
  const filled = (view: View): View => ({
    options: { columns: 48, rowHeight: 16 },
    ...view,
    items: [...(view.items ?? []), placed],
    filterGroups: [...(view.filterGroups ?? []), ...(filters.length > 0 ? [group] : [])],
  });
  return {
    version: "0.1.99",
    parameters: [],
    ...contents,
    views: views.map((view) => (view === target ? filled(view) : view)),
  };
}

/** The right half beside the last item when it is free, else a new row below all. */
function freePlace(items: NonNullable<View["items"]>): Position {
  const places = items.map(({ position = {} }) => {
    const { row = 0, col = 0, sizeX = 0, sizeY = 0 } = position;
    return { row, col, sizeX, sizeY };
  });
  const bottom = Math.max(0, ...places.map(({ row, sizeY }) => row + sizeY));
  const row = bottom - itemSize.sizeY;
  const isRightFree = places.every(
    (each) => each.row + each.sizeY <= row || each.col + each.sizeX <= itemSize.sizeX,
  );
  return places.length > 0 && row >= 0 && isRightFree
    ? { row, col: itemSize.sizeX, ...itemSize }
    : { row: bottom, col: 0, ...itemSize };
}

import { html } from "lit";
import { isRecord } from "../api/index.ts";
import { localized, withText } from "../language/index.ts";
import {
  confirmAndRun,
  entriesOf,
  notify,
  notifyFailure,
  openForm,
  openTextForm,
  textField,
  type ConsoleContext,
  type MenuItem,
} from "../parts/index.ts";
import type { Collections } from "./favorites.ts";
import { mayChangeBoard } from "./mayChangeBoard.ts";
import { nameOfBoard, type ListedBoard } from "./listedBoard.ts";
import { words } from "./words.ts";

export interface BoardActionsOptions {
  readonly context: Pick<ConsoleContext, "api" | "router" | "user">;
  readonly board: ListedBoard;
  readonly collections: Collections;
  /** Called after a change, to load the list again. */
  onChange(): void;
}

/**
 * Returns the entries of the menu of a dashboard in a list: those that the reader has the rights for. The host checks
 * every right again.
 */
export async function boardActions(options: BoardActionsOptions): Promise<readonly MenuItem[]> {
  const { context, board, onChange } = options;
  const { api, router, user } = context;
  const mayChange = await mayChangeBoard(api, board, user.id);
  const run = (work: (options: BoardActionsOptions) => Promise<boolean>) => () =>
    void work(options)
      .then((isChanged) => (isChanged ? onChange() : undefined))
      .catch(notifyFailure);
  return [
    { label: words.open, run: () => router.go(`/dashboards/${board.id}`) },
    ...(mayChange
      ? [{ label: words.edit, run: () => router.go(`/dashboards/${board.id}?edit=1`) }]
      : []),
    "separator",
    ...(mayChange ? [{ label: words.rename, run: run(rename) }] : []),
    { label: words.duplicate, run: run(duplicate) },
    { label: words.collections, run: run(move) },
    ...(mayChange ? [{ label: words.tags, run: run(changeTags) }] : []),
    ...(user.role === "owner"
      ? [{ label: words.usage, run: () => router.go(`/access/usage?dashboard=${board.id}`) }]
      : []),
    ...(board.owner_id === user.id
      ? ["separator" as const, { label: words.remove, isDangerous: true, run: run(remove) }]
      : []),
  ];
}

async function rename({ context: { api }, board }: BoardActionsOptions): Promise<boolean> {
  const saved = await openTextForm({
    title: words.renameTitle,
    label: words.name,
    action: words.save,
    value: nameOfBoard(board),
    save: (name) => api.update("securable", board.id, { name: withText(board.name, name) }),
  });
  return saved !== undefined;
}

/** Creates a dashboard of the reader with the same contents. Shares and links are not copied. */
async function duplicate({ context: { api }, board }: BoardActionsOptions): Promise<boolean> {
  const { rows } = await api.get("securable", {
    where: { id: board.id, type: "dashboard" },
    attributes: ["contents", "description", "subtitle", "css"],
  });
  const [found] = rows;
  if (!found) return true;
  const { contents, description, subtitle, css } = found;
  const name = words.copyOf(nameOfBoard(board));
  const { id } = await api.create<{ readonly id: string }>("securable", {
    type: "dashboard",
    name: localized(name),
    ...(isRecord(contents) && { contents }),
    ...(isRecord(description) && { description }),
    ...(isRecord(subtitle) && { subtitle }),
    ...(typeof css === "string" && { css }),
  });
  notify({
    text: words.duplicated(name),
    link: { href: `/dashboards/${id}`, label: words.open },
  });
  return true;
}

async function move(options: BoardActionsOptions): Promise<boolean> {
  const { context, board, collections } = options;
  const { api } = context;
  const chosen = new Set(
    collections.others.filter(({ ids }) => ids.has(board.id)).map(({ id }) => id),
  );
  let name = "";
  const saved = await openForm<true>({
    title: words.collectionsTitle,
    action: words.save,
    body: ({ redraw, wrong }) =>
      html`<p class="muted">${words.collectionsText}</p>
        ${collections.others.length === 0 ? html`<p>${words.noCollections}</p>` : ""}
        <div class="stack" role="group" aria-label=${words.collections}>
          ${collections.others.map(
            ({ id, name: label }) =>
              html`<label class="check"
                ><input
                  type="checkbox"
                  .checked=${chosen.has(id)}
                  @change=${() => {
                    if (!chosen.delete(id)) chosen.add(id);
                    redraw();
                  }}
                />${label}</label
              >`,
          )}
        </div>
        ${textField({
          id: "collection-name",
          label: words.newCollection,
          value: name,
          wrong,
          onInput: (value) => (name = value),
        })}`,
    async save() {
      const target = { role: "Securables", id: board.id };
      for (const { id, ids } of collections.others)
        if (chosen.has(id) && !ids.has(board.id)) await api.associate("collection", id, target);
        else if (!chosen.has(id) && ids.has(board.id))
          await api.dissociate("collection", id, target);
      if (name.trim() !== "") {
        const properties = { name: name.trim() };
        const made = await api.create<{ readonly id: string }>("collection", properties);
        await api.associate("collection", made.id, target);
      }
      return true as const;
    },
  });
  return saved === true;
}

const mostTags = 1_000;

async function changeTags({ context: { api }, board }: BoardActionsOptions): Promise<boolean> {
  const { tags = [] } = board;
  let text = tags.map(({ tag }) => tag).join(", ");
  const saved = await openForm<true>({
    title: words.tagsTitle,
    action: words.save,
    body: ({ wrong }) =>
      textField({
        id: "board-tags",
        label: words.tags,
        hint: words.tagsHint,
        value: text,
        wrong,
        onInput: (value) => (text = value),
      }),
    async save() {
      const wanted = new Set(entriesOf(text));
      const target = { role: "Securables", id: board.id };
      const known = await api.get<{ readonly id: string; readonly tag: string }>("tag", {
        where: { tag: { in: [...wanted] } },
        limit: mostTags,
      });
      for (const { id, tag } of tags) if (!wanted.has(tag)) await api.dissociate("tag", id, target);
      for (const tag of wanted) {
        if (tags.some((each) => each.tag === tag)) continue;
        const id =
          known.rows.find((each) => each.tag === tag)?.id ??
          (await api.create<{ readonly id: string }>("tag", { tag })).id;
        await api.associate("tag", id, target);
      }
      return true as const;
    },
  });
  return saved === true;
}

async function remove({ context: { api }, board }: BoardActionsOptions): Promise<boolean> {
  const name = nameOfBoard(board);
  return confirmAndRun({
    action: words.removeAction,
    title: words.removeTitle(name),
    text: words.removeText,
    done: words.removed(name),
    run: () => api.remove("securable", board.id),
  });
}

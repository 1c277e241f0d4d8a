import { html, nothing } from "lit";
import { isList, isRecord, searchOf, type SignedInUser } from "../../../api/index.ts";
import { openTextForm } from "../../../parts/index.ts";
import {
  deleteRecord,
  nameOfRecord,
  renameRecord,
  type RecordKind,
  type RecordOf,
  type RecordPage,
  type RecordViewKind,
} from "../../../records/index.ts";
import { includeOf, type Holder } from "./holder.ts";
import { words as shareWords } from "./words.ts";

type Resource = Holder["resource"];

/** The members that groups and integrations declare for their lists and views. */
export interface HolderDeclaration<Row extends RecordOf<Resource>> extends Pick<
  RecordKind<Row>,
  "id" | "columns"
> {
  readonly resource: Resource;
  /** Path of the list. */
  readonly path: string;
  readonly words: RecordKind["words"] &
    RecordViewKind["words"] & {
      readonly add: string;
      readonly remove: string;
      /** Describes the consequences of deleting the record, from the counts of its `dependents`. */
      removeText(...counts: readonly number[]): string;
    };
  /** Linked records that every search includes. */
  readonly include: readonly Readonly<Record<string, unknown>>[];
  /** Resources whose linked records are counted before a deletion. */
  readonly dependents: readonly string[];
  mayCreate(user: SignedInUser): boolean;
  /** Returns whether the reader may change the record, even if no link makes the reader an owner of the record. */
  isRuled(row: Row, user: SignedInUser): boolean;
  note(row: Row): string | undefined;
  /** Returns why the name and members are fixed; undefined for a record that can be changed. */
  fixed?(row: Row): string | undefined;
  /** The kinds of members that the record has. Each kind is shown in its own list. */
  readonly members: readonly ("user" | "group")[];
}

const pageRows = 100;
/** Names of the response members that contain the link between the reader and a group or an integration. */
const ownLinks = ["groupRole", "integrationUser"];

function isOwnedIn({ users }: Readonly<Record<string, unknown>>): boolean {
  const [me] = isList(users) ? users : [];
  const links = isRecord(me) ? ownLinks.map((name) => me[name]) : [];
  return links.some((link) => isRecord(link) && link["flagOwn"] === true);
}

/**
 * Declares a kind of record that has members and with which datasets and dashboards are shared: groups or integrations.
 */
export function holderKind<Row extends RecordOf<Resource>>(
  declared: HolderDeclaration<Row>,
): RecordKind<Row> {
  const { resource, path, words, include } = declared;
  const add = async ({ context: { api, router } }: RecordPage): Promise<void> => {
    const made = await openTextForm({
      title: words.add,
      label: shareWords.name,
      action: words.add,
      save: (name) => api.create<{ readonly id: string }>(resource, { name }),
    });
    if (made) router.go(`${path}/${made.id}`);
  };
  return {
    ...declared,
    find: ({ context }, search, offset, signal) =>
      context.api.get<Row>(
        resource,
        { ...searchOf(search), include, order: [["name", "asc"]], limit: pageRows, offset },
        { signal },
      ),
    tools: (page) =>
      declared.mayCreate(page.context.user)
        ? html`<button class="button primary" @click=${() => void add(page)}>${words.add}</button>`
        : nothing,
    view: viewOf(declared),
  };
}

interface Shown<Row> {
  readonly row: Row;
  readonly isRuled: boolean;
}

function viewOf<Row extends RecordOf<Resource>>({
  resource,
  path,
  words,
  include,
  dependents,
  members,
  isRuled,
  note,
  fixed,
}: HolderDeclaration<Row>): RecordViewKind<Shown<Row>> {
  return {
    path,
    words,
    nameOf: ({ row }) => nameOfRecord(row),
    note: ({ row }) => note(row) ?? nothing,
    async read({ api, user }, id, signal) {
      const me = { model: "User", as: "Users", attributes: ["id"], where: { id: user.id } };
      const find = { where: { id }, include: [...include, me] };
      const [row] = (await api.get<Row>(resource, find, { signal })).rows;
      return row && { row, isRuled: isRuled(row, user) || isOwnedIn(row) };
    },
    actions({ row, isRuled: mayChange }, { context }) {
      if (!mayChange || fixed?.(row) !== undefined) return [];
      const { id } = row;
      const find = { attributes: ["id"], include: [includeOf({ resource, id })], limit: 1 };
      const count = async (each: string) => (await context.api.get(each, find)).count;
      return [
        renameRecord(context.api, resource, row),
        deleteRecord({
          context,
          resource,
          id,
          path,
          name: nameOfRecord(row),
          label: words.remove,
          text: async () => words.removeText(...(await Promise.all(dependents.map(count)))),
        }),
      ];
    },
    body({ row, isRuled: mayChange }, { context }) {
      const holder: Holder = { resource, id: row.id, isRuled: mayChange };
      const why = fixed?.(row);
      return html`<console-shares .context=${context} .holder=${holder}></console-shares> ${
          why === undefined
            ? members.map(
                (kind) =>
                  html`<console-members
                    .context=${context}
                    .holder=${holder}
                    .kind=${kind}
                  ></console-members>`,
              )
            : html`<p class="muted">${why}</p>`
        }`;
    },
  };
}

import { createHash } from "node:crypto";

/** Returns the id of a record in the bench's catalog. */
export function idOf(seed: number, kind: string, index: number): string {
  const hex = createHash("md5").update(`${seed}:${kind}:${index}`).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * The callers of the bench: an owner of many records, a member who may see few records, and an embed token with an
 * access list.
 */
export type Caller = "owner" | "member" | "embed";

/** A `get` call in the form that existing clients send. */
export interface Page {
  readonly name: string;
  readonly resource: string;
  readonly callers: readonly Caller[];
  readonly find: Readonly<Record<string, unknown>>;
}

const all: readonly Caller[] = ["owner", "member", "embed"];
const named = ["id", "name", "modified_at"];
const columns = {
  model: "Column",
  attributes: ["id", "name", "type", "subtype", "format", "hidden", "lowestLevel", "expression"],
  separate: true,
  order: [["order", "asc"]],
};
const joined = {
  ...columns,
  include: [
    { model: "Column", as: "Joins" },
    { model: "HierarchyLevel", as: "HierarchyLevels" },
    { model: "Currency", as: "Currency" },
  ],
};
const sharing = [
  { model: "Tag", attributes: ["tag"] },
  { model: "User", attributes: ["id", "name"] },
  { model: "Group", attributes: ["id", "name", "public"] },
  { model: "Integration", attributes: ["id", "name"] },
];

/** Returns the calls for pages that the bench measures. */
export function pagesOf(seed: number): readonly Page[] {
  const id = (kind: string, index: number) => idOf(seed, kind, index);
  // These records belong to user 0, the owner of the bench. The member's lists contain only records that are shared
  // with the member.
  const datasets = Array.from({ length: 20 }, (_, index) => id("securable", index * 5));
  return [
    {
      name: "datasets, 50, with columns and users",
      resource: "securable",
      callers: all,
      find: { where: { type: "dataset" }, limit: 50, include: [columns, { model: "User" }] },
    },
    {
      name: "datasets, 50, with collections and account",
      resource: "securable",
      callers: all,
      find: {
        where: { type: "dataset" },
        limit: 50,
        include: [
          { model: "Collection", where: { favorite: true } },
          {
            model: "Account",
            attributes: ["id", "provider", "name"],
            include: [{ model: "Plugin" }],
          },
        ],
      },
    },
    {
      name: "dashboards, 100, newest first, with their recipients",
      resource: "securable",
      callers: all,
      find: {
        where: { type: "dashboard", is_variant: false },
        attributes: named,
        order: [["modified_at", "desc"]],
        limit: 100,
        include: sharing,
      },
    },
    {
      name: "the second page of dashboards, by name",
      resource: "securable",
      callers: all,
      find: {
        where: { type: "dashboard" },
        attributes: named,
        order: [["name.en", "asc"]],
        limit: 50,
        offset: 50,
      },
    },
    {
      name: "a search for a rare word",
      resource: "securable",
      callers: all,
      find: {
        search: { keyphrase: "numéro 123", match_types: ["name", "description"] },
        attributes: named,
        limit: 50,
        include: ["Tag", "User"],
      },
    },
    {
      name: "a search for a frequent word",
      resource: "securable",
      callers: all,
      find: { search: { keyphrase: "sales" }, attributes: named, limit: 50, include: ["Tag"] },
    },
    {
      name: "datasets that have a tag",
      resource: "securable",
      callers: all,
      find: {
        where: { type: "dataset" },
        attributes: named,
        limit: 50,
        include: [{ model: "Tag", where: { id: id("tag", 3) }, jointype: "inner" }],
      },
    },
    {
      name: "one complete dataset",
      resource: "securable",
      callers: all,
      find: { where: { id: datasets[0] }, include: [joined, { model: "Formula" }] },
    },
    {
      name: "20 datasets by id, with columns, joins and formulas",
      resource: "securable",
      callers: all,
      find: {
        where: { id: { in: datasets } },
        include: [joined, { model: "Formula", include: [{ model: "Currency" }] }],
      },
    },
    {
      name: "the number of datasets",
      resource: "securable",
      callers: all,
      find: { where: { type: "dataset" }, attributes: ["id"], limit: 0 },
    },
    {
      name: "columns of a dataset",
      resource: "column",
      callers: all,
      find: { where: { securable_id: datasets[0] }, order: [["order", "asc"]], limit: 100 },
    },
    {
      name: "formulas, 50, with their datasets",
      resource: "formula",
      callers: ["owner", "member"],
      find: { limit: 50, order: [["created_at", "desc"]], include: ["Securable"] },
    },
    {
      name: "collections, 50, with their contents",
      resource: "collection",
      callers: ["owner", "member"],
      find: { limit: 50, include: [{ model: "Securable", attributes: named }] },
    },
    {
      name: "users, 100, with groups",
      resource: "user",
      callers: ["owner", "member"],
      find: { limit: 100, order: [["name", "asc"]], include: [{ model: "Group" }] },
    },
    {
      name: "tags, 100",
      resource: "tag",
      callers: all,
      find: { limit: 100, order: [["tag", "asc"]] },
    },
    {
      name: "groups, 50, with users",
      resource: "group",
      callers: ["owner", "member"],
      find: { where: { public: false }, limit: 50, include: [{ model: "User" }] },
    },
  ];
}

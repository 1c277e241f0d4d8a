import { declarations, type Declaration, type Field } from "../../resources/index.ts";
import { type Json } from "./json.ts";
import { isObject } from "../../base/index.ts";

/** The kinds of records in the order of their creation. A record comes after the records to which it refers. */
export const kindNames = [
  "plugin",
  "group",
  "account",
  "tag",
  "theme",
  "dataset",
  "column",
  "hierarchylevel",
  "formula",
  "dashboard",
  "embedfiltergroup",
  "collection",
  "integration",
  "schedule",
  "channel",
  "alert",
] as const;
export type KindName = (typeof kindNames)[number];

/** How the records of one kind are exported and applied. */
export interface Kind {
  readonly resource: string;
  /**
   * The folder that contains the files of this kind. The records of a kind without a folder are in the files of their
   * parents.
   */
  readonly folder?: string;
  /** The association with the record of which this record is a part. */
  readonly parent?: { readonly kind: KindName; readonly role: string; readonly key: string };
  readonly where?: (organizationId: string) => Json;
  /** Members that callers may set but that are not transferred. */
  readonly omitted?: readonly string[];
  /** Members of a new record that its kind determines. */
  readonly fixed?: Json;
  /** Names of the associations that are transferred. */
  readonly links: readonly string[];
  /** Returns the name that identifies a record whose id is unknown; undefined if the record has no such name. */
  readonly key: (properties: Json, links: Readonly<Record<string, unknown>>) => unknown;
}

const named = ({ name }: Json): unknown =>
  name === null || name === undefined || (isObject(name) && Object.keys(name).length === 0)
    ? undefined
    : name;
const withName =
  (...members: readonly string[]) =>
  (properties: Json): unknown =>
    named(properties) === undefined
      ? undefined
      : [named(properties), ...members.map((member) => properties[member] ?? null)];

/** The kinds of records that `manifold export` and `manifold apply` transfer, by name. */
export const kinds: { readonly [Name in KindName]: Kind } = {
  plugin: {
    resource: "plugin",
    folder: "plugins",
    where: (organization_id) => ({ organization_id }),
    links: ["Organizations"],
    key: ({ slug }) => slug,
  },
  group: {
    resource: "group",
    folder: "groups",
    where: (organization_id) => ({ organization_id }),
    links: [],
    key: withName("public"),
  },
  account: {
    resource: "account",
    folder: "accounts",
    omitted: ["code", "invalid"],
    links: ["Groups"],
    key: withName("provider"),
  },
  tag: { resource: "tag", folder: "tags", links: [], key: ({ tag }) => tag },
  theme: {
    resource: "theme",
    folder: "themes",
    where: (organization_id) => ({ organization_id }),
    links: [],
    key: named,
  },
  dataset: {
    resource: "securable",
    folder: "datasets",
    where: () => ({ type: "dataset" }),
    omitted: ["type", "contents", "css"],
    fixed: { type: "dataset" },
    links: ["Groups", "Tags", "Original"],
    key: named,
  },
  column: {
    resource: "column",
    parent: { kind: "dataset", role: "Securable", key: "securable_id" },
    links: ["Joins"],
    key: ({ source_name, name, expression }) => [source_name ?? name, Boolean(expression)],
  },
  hierarchylevel: {
    resource: "hierarchylevel",
    parent: { kind: "column", role: "Column", key: "column_id" },
    links: [],
    key: withName("level"),
  },
  formula: {
    resource: "formula",
    folder: "formulas",
    links: ["Securables", "Groups"],
    key: withName("expression"),
  },
  dashboard: {
    resource: "securable",
    folder: "dashboards",
    where: () => ({ type: "dashboard" }),
    omitted: ["type"],
    fixed: { type: "dashboard" },
    links: ["Groups", "Tags", "Original"],
    key: named,
  },
  embedfiltergroup: {
    resource: "embedfiltergroup",
    folder: "embedfiltergroups",
    links: ["Securables"],
    key: () => "the organization has only one",
  },
  collection: {
    resource: "collection",
    folder: "collections",
    links: ["Securables", "Groups"],
    key: named,
  },
  integration: {
    resource: "integration",
    folder: "integrations",
    where: (organization_id) => ({ organization_id }),
    links: ["Securables", "Groups"],
    key: named,
  },
  schedule: {
    resource: "schedule",
    folder: "schedules",
    links: ["Securable"],
    key: (properties, links) => [properties, links["Securable"] ?? null],
  },
  channel: {
    resource: "channel",
    folder: "channels",
    links: ["Organizations"],
    key: withName("type"),
  },
  alert: {
    resource: "alert",
    folder: "alerts",
    links: ["Channels", "Schedule"],
    key: withName("securable_id"),
  },
};

export function declarationOf(kind: KindName): Declaration {
  const { resource } = kinds[kind];
  const declaration = declarations.get(resource);
  if (!declaration) throw new TypeError(`there is no resource ${resource}`);
  return declaration;
}

/** Returns the members in a file of a kind: those that a caller may set, and the mark of the Public group. */
export function carried(kind: KindName): ReadonlyMap<string, Field> {
  const { omitted = [] } = kinds[kind];
  const fields = Object.entries(declarationOf(kind).fields).filter(
    ([member, { on }]) =>
      ((on.includes("create") || on.includes("update")) && !omitted.includes(member)) ||
      (kind === "group" && member === "public"),
  );
  return new Map(fields);
}

/** Returns the kinds whose records belong to a resource. A securable, for example, is a dataset or a dashboard. */
export function kindsOf(resource: string): readonly KindName[] {
  return kindNames.filter((kind) => kinds[kind].resource === resource);
}

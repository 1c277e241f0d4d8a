import type { Json } from "./json.ts";
import type { KindName } from "./kinds.ts";
import { isObject } from "../../base/index.ts";

/** The other record of an association, with the members of the link: `right`, `type`, and others. */
export type LinkEntry = Json & { readonly id: string };

/** Where the rows of a dataset come from. */
export type Source =
  | { readonly kind: "pushed" }
  | { readonly kind: "plugin"; readonly account: string; readonly dataset: string }
  | {
      readonly kind: "statement";
      readonly account: string;
      readonly query: string;
      /** The parameters of the statement, each `{parameter, type, value?}`. */
      readonly parameters: readonly Json[];
    };

export interface Member {
  readonly email: string;
  readonly right: string;
}

/** A record with its associations, without secrets. */
export interface TransferRecord {
  readonly kind: KindName;
  readonly id: string;
  readonly properties: Json;
  /** Links by the name of the association. A to-one association is a list with one link. */
  readonly links: Readonly<Record<string, readonly LinkEntry[]>>;
  /** The id of the record of which this record is a part. */
  readonly parent?: string;
  /** Where the rows come from. Only datasets have a source. */
  readonly source?: Source;
  /** The members of a group. The group Public has none. */
  readonly members?: readonly Member[];
  /** The labels, colours and tree positions of a column's values. In each element, `id` is the value. */
  readonly elements?: readonly Json[];
}

/** A record of a folder, with the path of its file for messages. */
export interface FiledRecord extends TransferRecord {
  readonly file: string;
}

/** Returns the name of a record to show to people. */
export function titleOf({ properties }: Pick<TransferRecord, "properties">): string {
  const { name: own, slug, tag } = properties;
  const name = own ?? slug ?? tag ?? null;
  if (name === null) return "";
  if (!isObject<"en">(name)) return String(name);
  return String(name.en ?? Object.values(name)[0] ?? "");
}

/** Returns whether a record is a column whose values can have labels, colours and tree positions. */
export function hasElements({ kind, properties }: TransferRecord): boolean {
  const { type } = properties;
  return kind === "column" && type === "hierarchy";
}

/** Returns whether a column has an expression, and therefore no values of its own. */
export function isDerived({ properties }: Pick<TransferRecord, "properties">): boolean {
  const { expression } = properties;
  return Boolean(expression);
}

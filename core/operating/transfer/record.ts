import type { Json } from "./json.ts";
import type { KindName } from "./kinds.ts";
import { isObject } from "../../base/index.ts";

/** The other record of an association, and what the link says: `right`, `type`, and its further members. */
export type LinkEntry = Json & { readonly id: string };

/** Where the rows of a dataset are. */
export type Source =
  | { readonly kind: "pushed" }
  | { readonly kind: "plugin"; readonly account: string; readonly dataset: string }
  | {
      readonly kind: "statement";
      readonly account: string;
      readonly query: string;
      /** Each `{parameter, type, value?}`. */
      readonly parameters: readonly Json[];
    };

export interface Member {
  readonly email: string;
  readonly right: string;
}

/** One record with its associations; secrets are not part of it. */
export interface TransferRecord {
  readonly kind: KindName;
  readonly id: string;
  readonly properties: Json;
  /** By name of the association; an association of one is a list of one. */
  readonly links: Readonly<Record<string, readonly LinkEntry[]>>;
  /** The id of the record that it is part of. */
  readonly parent?: string;
  /** For a dataset. */
  readonly source?: Source;
  /** For a group that is not the Public one. */
  readonly members?: readonly Member[];
  /** For a column: labels, colours and tree places of its values; `id` is the value. */
  readonly elements?: readonly Json[];
}

/** A record of a folder, with the path of its file for messages. */
export interface FiledRecord extends TransferRecord {
  readonly file: string;
}

/** The name of a record for people. */
export function titleOf({ properties }: Pick<TransferRecord, "properties">): string {
  const name = properties["name"] ?? properties["slug"] ?? properties["tag"] ?? null;
  if (name === null) return "";
  if (!isObject<"en">(name)) return String(name);
  return String(name.en ?? Object.values(name)[0] ?? "");
}

/** A column with an expression has no values of its own. */
export function isDerived({ properties }: Pick<TransferRecord, "properties">): boolean {
  return Boolean(properties["expression"]);
}

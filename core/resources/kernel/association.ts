import type { FeatureName } from "../../identity/index.ts";
import type { Fields } from "./field.ts";
import type { Role } from "./role.ts";

/** The table between two resources. */
export interface Link {
  readonly table: string;
  /** The member of an included record that carries the link. */
  readonly member: string;
  /** A second name of `member`: clients of the field read one or the other. */
  readonly alias?: string;
  /** The view that includes read instead of the table: it adds the links of owners. */
  readonly view?: string;
  /** The columns that identify a link: associating the same records again overwrites it. */
  readonly uniqueBy: readonly string[];
  /** Its columns on the wire. */
  readonly columns: readonly string[];
  /** Flags in rising order, each including those before it. */
  readonly flags?: readonly string[];
  /** The flag of a link that is created without one. Default: the first of `flags`. */
  readonly usualFlag?: string;
  /** A member with a closed list of values; the first is the default. */
  readonly choice?: { readonly member: string; readonly values: readonly string[] };
  /** Further members that a caller may set; what is not given is set to the default, or to null. */
  readonly fields?: Fields;
  /** The feature without which a caller neither makes nor ends such a link. */
  readonly feature?: FeatureName;
  /** Members without effect that the contract names; they are accepted. */
  readonly inert?: readonly string[];
  /** The column that names the caller: each user has links of their own, and sees no others. */
  readonly personal?: string;
  /** Members that are null for everyone but the owners of the record of `resource` that `key` names. */
  readonly guard?: {
    readonly members: readonly string[];
    readonly resource: string;
    readonly key: string;
  };
}

interface Relation {
  readonly resource: string;
  /** The roles on this record and on the other that associating takes; absent = include only. */
  readonly roles?: readonly [own: Role, other: Role];
}
/** An association whose key is a member of this record. */
export interface ToOne extends Relation {
  readonly kind: "one";
  readonly key: string;
  /** The record is a part of the other one: taking it from there to another takes what deleting it takes, on both. */
  readonly isPart?: true;
}
/** An association whose key is a member of the other record. */
export interface ToMany extends Relation {
  readonly kind: "many";
  readonly key: string;
}
export interface Through extends Relation {
  readonly kind: "through";
  readonly link: Link;
  readonly ownKey: string;
  readonly otherKey: string;
  /** The member by which a caller names the other record, when it is not the id. */
  readonly lookup?: string;
}
/** By name, which is the role of `associate`, the alias of `include`, and (lower camel) the member in the answer. */
export type Association = ToOne | ToMany | Through;

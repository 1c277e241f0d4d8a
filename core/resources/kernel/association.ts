import type { FeatureName } from "../../identity/index.ts";
import type { Fields } from "./field.ts";
import type { Role } from "./role.ts";

/** The table that links two resources. */
export interface Link {
  readonly table: string;
  /** The member of an included record that contains the link. */
  readonly member: string;
  /** Alias of `member`, which some clients read. */
  readonly alias?: string;
  /** The view that includes read instead of the table. It adds the links of owners. */
  readonly view?: string;
  /** The columns that identify a link. Associating the same records again overwrites it. */
  readonly uniqueBy: readonly string[];
  /** The columns that the API shows. */
  readonly columns: readonly string[];
  /** Flags in ascending order. Each includes the previous ones. */
  readonly flags?: readonly string[];
  /**
   * The flag of a link that is created without one.
   *
   * @default the first of `flags`
   */
  readonly usualFlag?: string;
  /** A member with a fixed list of values. The first is the default. */
  readonly choice?: { readonly member: string; readonly values: readonly string[] };
  /** Further members that a caller may set. Omitted ones are set to the default, or to null. */
  readonly fields?: Fields;
  /** The feature that a caller needs to create or remove these links. */
  readonly feature?: FeatureName;
  /** Members of the API without effect. They are accepted. */
  readonly inert?: readonly string[];
  /** The column that contains the caller's id. Each user has separate links and does not see those of others. */
  readonly personal?: string;
  /** Members that only owners of the record `key` of `resource` see. For everyone else they are null. */
  readonly guard?: {
    readonly members: readonly string[];
    readonly resource: string;
    readonly key: string;
  };
}

interface Relation {
  readonly resource: string;
  /**
   * The roles on this record and on the other record that associating requires. Absent if the association is only for
   * includes.
   */
  readonly roles?: readonly [own: Role, other: Role];
}
/** An association whose key is a member of this record. */
export interface ToOne extends Relation {
  readonly kind: "one";
  readonly key: string;
  /**
   * Whether this record is a part of the other one. Moving it elsewhere then needs the rights to delete it on both
   * records.
   */
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
  /** The member by which callers name the other record, if it is not the id. */
  readonly lookup?: string;
}
/**
 * An association. Its name is the role in `associate`, the alias in `include`, and (in lower camel case) the member in
 * the answer.
 */
export type Association = ToOne | ToMany | Through;

import type { FeatureName } from "../../identity/index.ts";
import type { Fields } from "./field.ts";
import type { Role } from "./role.ts";

/** A table whose rows link the records of two resources, and how the API shows and sets these links. */
export interface Link {
  readonly table: string;
  /** The member of an included record that contains the link. */
  readonly member: string;
  /** A second name under which `member` is returned, because some clients read that name. */
  readonly alias?: string;
  /** The view that includes read instead of the table. The view also contains links for the owners of records. */
  readonly view?: string;
  /** The columns that identify a link. Associating the same two records again overwrites their link. */
  readonly uniqueBy: readonly string[];
  /** The columns of a link that the API shows. */
  readonly columns: readonly string[];
  /** Flags of the link in ascending order. Each flag includes the previous ones. */
  readonly flags?: readonly string[];
  /**
   * The flag that is set if a call names none.
   *
   * @default the first of `flags`
   */
  readonly usualFlag?: string;
  /** A member that accepts only certain values. The first value is the default. */
  readonly choice?: { readonly member: string; readonly values: readonly string[] };
  /** Further members of the link that a caller may set. A member that the call omits gets its default, or null. */
  readonly fields?: Fields;
  /** The feature that a caller needs to create or remove these links. */
  readonly feature?: FeatureName;
  /** API members that are accepted but have no effect. */
  readonly inert?: readonly string[];
  /** The column that contains the caller's id. Each user has separate links and cannot see other users' links. */
  readonly personal?: string;
  /** Members that only owners of the record `key` of `resource` can see. For everyone else they are null. */
  readonly guard?: {
    readonly members: readonly string[];
    readonly resource: string;
    readonly key: string;
  };
}

interface Relation {
  readonly resource: string;
  /**
   * The roles that associating requires on this record and on the other record. Absent if callers cannot associate
   * these records and can only include them.
   */
  readonly roles?: readonly [own: Role, other: Role];
}
/** An association whose foreign key is a member of this record. */
export interface ToOne extends Relation {
  readonly kind: "one";
  readonly key: string;
  /**
   * Whether this record is a part of the other record. Moving the record then requires the right to delete it on both
   * the old and the new record.
   */
  readonly isPart?: true;
}
/** An association whose foreign key is a member of the other record. */
export interface ToMany extends Relation {
  readonly kind: "many";
  readonly key: string;
}
export interface Through extends Relation {
  readonly kind: "through";
  readonly link: Link;
  readonly ownKey: string;
  readonly otherKey: string;
  /** The member by which callers name the other record, if that is not `id`. */
  readonly lookup?: string;
}
/**
 * An association. Its name is the role in `associate` and the alias in `include`. In lower camel case, it is also the
 * member in the answer.
 */
export type Association = ToOne | ToMany | Through;

import type { Knex } from "knex";
import type { Static, TSchema } from "typebox";
import type {
  Principal,
  Right,
  RecordAction,
  Connections,
  Records,
  Row,
} from "../../contracts/index.ts";
import type { Log } from "../../catalog/index.ts";

/** How a member is stored. */
export type Storage =
  | "uuid"
  | "text"
  | "boolean"
  | "double precision"
  | "jsonb"
  | "timestamp with time zone"
  | "bytea";

/** One member of a record. */
export interface Field<
  Stored extends Storage = Storage,
  Schema extends TSchema = TSchema,
  Nullable extends boolean = boolean,
> {
  readonly storage: Stored;
  readonly schema: Schema;
  /** For messages: "a text". */
  readonly expects: string;
  readonly nullable: Nullable;
  /** The actions on which a caller may set it; none = response only. */
  readonly on: readonly ("create" | "update" | "delete")[];
  readonly required?: boolean;
  /** The value of a new record that gives none; a function is called for each record. */
  readonly default?: unknown;
  /** Kept encrypted; never returned, searched, ordered by or selected. */
  readonly secret?: boolean;
  /** Kept encrypted as a whole, opened for the host's code; of its members a response shows the names. */
  readonly sealed?: boolean;
  /** Never part of the wire. */
  readonly hidden?: boolean;
  /** SQL of the value that a caller is shown instead; whom it is given to cannot search or order by the member. */
  readonly instead?: (knex: Knex, alias: string, principal: Principal) => Knex.Raw | undefined;
  /** Describes all rows of a dataset, or how they are fetched: null for embed tokens, and where `isLimited`. */
  readonly withheld?: true;
  /** Null in lists unless `attributes` names it. */
  readonly onRequest?: boolean;
  /** Checks what the schema cannot: returns a text that completes "must …", or undefined for a valid value. */
  readonly check?: (value: unknown) => string | undefined;
  /** From the form on the wire to the one that is stored; called for good values only. */
  readonly convert?: (value: unknown) => unknown;
  /** An object of texts by language, or may be one. */
  readonly isMultilingual?: true;
  /** Characters of a text, of each text of a multilingual one; by default `limits.textLength`. */
  readonly length?: number;
  /** The value is the id of a record on which the caller must have the role. */
  readonly refersTo?: readonly [resource: string, role: Role];
  /**
   * Of a sealed member: what a response shows instead of the names alone; `beside` is undefined where `showBeside` was
   * not read.
   */
  readonly show?: (value: Values, beside: unknown) => Values;
  /** SQL of what `show` needs to know besides the value; it is read in the same statement. */
  readonly showBeside?: (knex: Knex, alias: string) => Knex.Raw;
  /** For a member of a link: a call that omits it keeps the stored value, instead of setting the default. */
  readonly stays?: true;
}
export type Fields = Readonly<Record<string, Field>>;

/**
 * The value of a field in a row of the catalog: what `convert` makes, else what the schema takes. Instants are Dates,
 * secrets stay sealed, sealed members are opened.
 */
type ValueOf<Each extends Field> =
  | (Each["storage"] extends "timestamp with time zone"
      ? Date
      : Each extends { readonly convert: (value: never) => infer Converted }
        ? Exclude<Converted, undefined>
        : Static<Each["schema"]>)
  | (Each["nullable"] extends false ? never : null);

/** The row of a declaration: `RowOf<typeof column>`. */
export type RowOf<Declared extends { readonly fields: Fields }> = {
  readonly [Member in keyof Declared["fields"]]: ValueOf<Declared["fields"][Member]>;
} & { readonly id: string };

/** The values that a call sets in a row, checked and converted; members that the call omits are absent. */
export type ValuesOf<Of extends Fields> = {
  readonly [Member in keyof Of]?: ValueOf<Of[Member]> | undefined;
};

/** The role in the organization that an action requires, whatever the record. */
export type OrganizationRole = "organizationMember" | "organizationEditor" | "organizationOwner";

/** The right on a record, or the role in its organization, that an action requires. */
export type Role = Right | OrganizationRole;

/** Says on which records a caller has a right. */
export interface Allow {
  /** Narrows a query over `alias` to them, record by record: for queries that are narrowed to a few already. */
  (
    query: Knex.QueryBuilder,
    alias: string,
    right: Right,
    principal: Principal,
    under?: Under,
  ): void;
  /**
   * Selects the ids of the allowed records from the rows that give the right, for queries that nothing else narrows.
   * May repeat an id. Absent or undefined where testing each record serves every query. `table` holds the records.
   */
  readonly ids?: AllowedIds;
  /** Foreign keys to the record that gives the right; few records share one. */
  readonly keys?: readonly string[];
}

/**
 * The records of another resource to which all records of a query belong. When these give the right, each of them is
 * tested once, not once for every record that belongs to it. Valid for one alias: a rule passes it only to rules about
 * that alias.
 */
export interface Under {
  readonly alias: string;
  readonly resource: string;
  readonly ids: readonly string[];
  readonly idType: "uuid" | "text";
  /** The column with the id of that record: a foreign key, or the column of a link that is joined as `l`. */
  readonly column: string;
  readonly link?: string;
}
export type AllowedIds = (
  knex: Knex,
  table: string,
  right: Right,
  principal: Principal,
) => Knex.QueryBuilder | undefined;

/** The table between two resources. */
export interface Link {
  readonly table: string;
  /** The member of an included record that carries the link. */
  readonly member: string;
  /** A second name of `member`: clients of the field read one or the other. */
  readonly alias?: string;
  /** The view that includes read instead of the table: it adds the links of owners. */
  readonly view?: string;
  /** The unique columns: associating again overwrites the link. */
  readonly uniqueBy: readonly string[];
  /** Its columns on the wire. */
  readonly columns: readonly string[];
  /** Flags in rising order, each including those before it. */
  readonly flags?: readonly string[];
  /** The highest flag of a link that is made without any; the lowest by default. */
  readonly usualFlag?: string;
  /** A member with a closed list of values; the first is the default. */
  readonly choice?: { readonly member: string; readonly values: readonly string[] };
  /** Further members that a caller may set; what is not given is set to the default, or to null. */
  readonly fields?: Fields;
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
/** This record holds the key. */
export interface ToOne extends Relation {
  readonly kind: "one";
  readonly key: string;
  /** The record is a part of the other one: taking it from there to another takes what deleting it takes, on both. */
  readonly isPart?: true;
}
/** The other record holds the key. */
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

/** The services that hooks use. */
export interface Context {
  readonly knex: Knex;
  readonly records: Records;
  readonly connections: Connections;
  readonly log: Log;
  readonly declarations: ReadonlyMap<string, Declaration>;
}

export interface HookCall {
  readonly context: Context;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

export type Values = Readonly<Record<string, unknown>>;

export interface Hooks<Of extends Fields = Fields, Inputs extends Fields = Fields> {
  /**
   * Looks closer at values that a create or an update would accept, for an update with the row; what it answers is
   * part of the answer of `validate`.
   * @throws {ApiError}
   */
  onValidate?(
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
    row?: RowOf<{ fields: Of }>,
  ): Promise<Values>;
  /** Refuses, or completes the accepted values with values that the server sets. */
  beforeCreate?(values: ValuesOf<Of & Inputs>, call: HookCall): Promise<Values>;
  /** Runs in the transaction of the create; `values` are the result of `beforeCreate`, with the inputs. */
  afterCreate?(
    row: RowOf<{ fields: Of }>,
    call: HookCall,
    transaction: Knex.Transaction,
    values: Values,
  ): Promise<void>;
  /** Replaces stored members in the answer of a create. */
  showCreated?(row: RowOf<{ fields: Of }>, call: HookCall): Promise<Values>;
  beforeUpdate?(
    row: RowOf<{ fields: Of }>,
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
  ): Promise<Values>;
  /** Runs in the transaction of the update; `values` are the written values and the inputs. */
  afterUpdate?(
    row: RowOf<{ fields: Of }>,
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<void>;
  /** Runs in the transaction of the delete; `values` are the inputs of the call. */
  beforeDelete?(
    row: RowOf<{ fields: Of }>,
    call: HookCall,
    transaction: Knex.Transaction,
    values: ValuesOf<Inputs>,
  ): Promise<void>;
  /** Runs when the delete is committed; it must not fail. */
  afterDelete?(row: RowOf<{ fields: Of }>, call: HookCall): Promise<void>;
  /** Runs in the transaction of an associate or dissociate, before the change. */
  beforeLink?(
    change: LinkChange<RowOf<{ fields: Of }>>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<void>;
  /**
   * Runs in the transaction of an associate or dissociate that sets a key of this resource, before the change; answers
   * what to set with it.
   */
  beforeKey?(
    change: KeyChange<RowOf<{ fields: Of }>>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<Values | void>;
}

/** A change of the key by which `holder`, of the resource with the hook, names `target`. */
export interface KeyChange<Holder = Row> {
  readonly action: "associate" | "dissociate";
  readonly key: string;
  readonly holder: Holder;
  readonly target: Row;
}

export interface LinkChange<Own = Row> {
  readonly action: "associate" | "dissociate";
  readonly link: Link;
  /** The record of the resource with the hook, whichever side the call named first. */
  readonly own: Own;
  readonly other: Row;
  readonly values: Values;
}

/** One resource: everything the kernel has to know of it. */
export interface Declaration<Of extends Fields = Fields, Inputs extends Fields = Fields> {
  /** On the wire and in the catalog. */
  readonly name: string;
  readonly actions: readonly RecordAction[];
  /** The roles of its actions where they are not the usual ones (`policy.ts`). */
  readonly roles?: {
    readonly create?: OrganizationRole;
    readonly update?: Right;
    readonly delete?: Right;
  };
  /** The member that names the owner: there is always one, who cannot be deleted while such a record exists. */
  readonly ownedBy?: string;
  readonly fields: Of;
  /** Such a record is deleted with its owner, who gives it to nobody: it acts with the rights of its owner. */
  readonly goesWithOwner?: true;
  /** Members that an action takes besides the fields, for its hooks; they are not kept. */
  readonly inputs?: Inputs;
  /** SQL that is true when row filters apply to the caller: `withheld` members of the record are null then. */
  readonly isLimited?: (knex: Knex, alias: string, principal: Principal) => Knex.Raw;
  /** Says on which records a caller has a right: the one policy that every action asks. */
  readonly allow: Allow;
  /** Narrows a query over `alias` to the records of the caller's organization. */
  readonly inOrganization?: (query: Knex.QueryBuilder, alias: string, principal: Principal) => void;
  readonly associations: Readonly<Record<string, Association>>;
  readonly hooks?: Hooks<Of, Inputs>;
  /** Members returned by create and never again. */
  readonly shownOnce?: readonly string[];
  /** The id that `"me"` stands for. */
  readonly me?: (principal: Principal) => string;
}

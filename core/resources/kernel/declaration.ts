import type { Knex } from "knex";
import type { TSchema } from "typebox";
import type { Principal, Right } from "../../access/principal.ts";
import type { Action } from "../../call.ts";
import type { Connections } from "../../connections/connection.ts";
import type { Log } from "../../catalog/index.ts";
import type { Records, Row } from "../records.ts";

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
export interface Field {
  readonly storage: Storage;
  readonly schema: TSchema;
  /** For messages: "a text". */
  readonly expects: string;
  readonly nullable: boolean;
  /** The actions on which a caller may set it; none = response only. */
  readonly on: readonly ("create" | "update")[];
  readonly required?: boolean;
  /** What a new record carries; a function is called for each. */
  readonly default?: unknown;
  /** Kept encrypted; never returned, searched, ordered by or selected. */
  readonly secret?: boolean;
  /** Kept encrypted as a whole, opened for the host's code; of its members a response shows the names. */
  readonly sealed?: boolean;
  /** Never part of the wire. */
  readonly hidden?: boolean;
  /** Null in lists unless `attributes` names it. */
  readonly onRequest?: boolean;
  /** What the schema cannot say: a text that completes "must …", or undefined when the value is good. */
  readonly check?: (value: unknown) => string | undefined;
  /** From the form on the wire to the one that is stored; called for good values only. */
  readonly convert?: (value: unknown) => unknown;
}
export type Fields = Readonly<Record<string, Field>>;

/** What one must be to a record: a right on it, or a role in its organization. */
export type Role = Right | "organizationMember" | "organizationEditor";

/** The table between two resources. */
export interface Link {
  readonly table: string;
  /** The member of an included record that carries the link. */
  readonly member: string;
  /** What includes read when it is more than the table: the links of owners too. */
  readonly view?: string;
  /** Of which columns there is one link only: making it again overwrites. */
  readonly uniqueBy: readonly string[];
  /** Its columns on the wire. */
  readonly columns: readonly string[];
  /** Flags in rising order, each including those before it. */
  readonly flags?: readonly string[];
  /** A member with a closed list of values; the first is the default. */
  readonly choice?: { readonly member: string; readonly values: readonly string[] };
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

/** What hooks work with. */
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
}

export type Values = Readonly<Record<string, unknown>>;

export interface Hooks {
  /** Refuses, or completes the accepted values with those that the server sets. */
  readonly beforeCreate?: (values: Values, call: HookCall) => Promise<Values>;
  /** Runs in the transaction of the create. */
  readonly afterCreate?: (row: Row, call: HookCall, transaction: Knex.Transaction) => Promise<void>;
  readonly beforeUpdate?: (row: Row, values: Values, call: HookCall) => Promise<Values>;
  /** Runs in the transaction of the delete. */
  readonly beforeDelete?: (
    row: Row,
    call: HookCall,
    transaction: Knex.Transaction,
  ) => Promise<void>;
  /** Runs when the delete is committed; it must not fail. */
  readonly afterDelete?: (row: Row, call: HookCall) => Promise<void>;
  /** Runs in the transaction of an associate or dissociate, before the change. */
  readonly beforeLink?: (
    change: LinkChange,
    call: HookCall,
    transaction: Knex.Transaction,
  ) => Promise<void>;
  /** Runs in the transaction of an associate or dissociate that sets a key of this resource, before the change. */
  readonly beforeKey?: (change: KeyChange, call: HookCall) => Promise<void>;
}

/** A change of the key by which `holder`, of the resource with the hook, names `target`. */
export interface KeyChange {
  readonly action: "associate" | "dissociate";
  readonly key: string;
  readonly holder: Row;
  readonly target: Row;
}

export interface LinkChange {
  readonly action: "associate" | "dissociate";
  readonly link: Link;
  readonly own: Row;
  readonly other: Row;
  readonly values: Values;
}

/** One resource: everything the kernel has to know of it. */
export interface Declaration {
  /** On the wire and in the catalog. */
  readonly name: string;
  readonly actions: readonly Action[];
  readonly fields: Fields;
  /** Narrows a query over `alias` to the records on which the caller has the right. */
  readonly allow: (
    query: Knex.QueryBuilder,
    alias: string,
    right: Right,
    principal: Principal,
  ) => void;
  /** Narrows a query over `alias` to the records of the caller's organization. */
  readonly inOrganization?: (query: Knex.QueryBuilder, alias: string, principal: Principal) => void;
  readonly associations: Readonly<Record<string, Association>>;
  /** Associations of the API with resources that this version does not keep: an include of them finds none. */
  readonly withoutRecords?: Readonly<Record<string, "one" | "many">>;
  readonly hooks?: Hooks;
  /** Members returned by create and never again. */
  readonly shownOnce?: readonly string[];
  /** The id that `"me"` stands for. */
  readonly me?: (principal: Principal) => string;
}

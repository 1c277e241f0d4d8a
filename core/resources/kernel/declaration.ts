import type { Knex } from "knex";
import type { TSchema } from "typebox";
import type { Cipher, Log } from "../../catalog/index.ts";
import type {
  Connections,
  Principal,
  RecordAction,
  Records,
  Right,
  Row,
} from "../../base/index.ts";
import type { Allow } from "./allow.ts";
import type { Association, Link } from "./association.ts";
import type { Fields, RowOf, Values, ValuesOf } from "./field.ts";
import type { OrganizationRole } from "./role.ts";

/** The services that hooks use. */
export interface Context {
  readonly knex: Knex;
  readonly records: Records;
  readonly connections: Connections;
  readonly log: Log;
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Days that a token of type api lives at most; 0 for no end. */
  readonly apiTokenDays: number;
}

export interface HookCall {
  readonly context: Context;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** The address of the caller; undefined for calls that the host makes for one. */
  readonly address: string | undefined;
}

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
  /**
   * Runs in the transaction of the create; `values` are the result of `beforeCreate`, with the inputs. Resolves to the
   * row when it changed it.
   */
  afterCreate?(
    row: RowOf<{ fields: Of }>,
    call: HookCall,
    transaction: Knex.Transaction,
    values: Values,
  ): Promise<Row | void>;
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
  /** Runs when the update is committed, with the record before and after it; it must not fail. */
  afterCommit?(
    before: RowOf<{ fields: Of }>,
    after: RowOf<{ fields: Of }>,
    call: HookCall,
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

/** Members that a record shows when it is read, beside those which are kept. */
export interface Computed {
  /** The members that it is computed from: a record without one of them shows nothing. */
  readonly from: readonly string[];
  readonly schemas: Readonly<Record<string, TSchema>>;
  of(record: Values): Values;
}

/** One resource: everything the kernel has to know of it. */
export interface Declaration<Of extends Fields = Fields, Inputs extends Fields = Fields> {
  /** On the wire and in the catalog. */
  readonly name: string;
  readonly actions: readonly RecordAction[];
  /** The roles of actions that do not require the usual ones (`policy.ts`). */
  readonly roles?: {
    readonly create?: OrganizationRole;
    readonly update?: Right;
    readonly delete?: Right;
  };
  /** The member with the id of the owner. There is always an owner: a user who owns such a record cannot be deleted. */
  readonly ownedBy?: string;
  /** SQL that is true for records that are their owner's; records that are part of others are not. */
  readonly ownedIf?: string;
  readonly fields: Of;
  /** Such a record is deleted with its owner, who gives it to nobody: it acts with the rights of its owner. */
  readonly goesWithOwner?: true;
  /** Computes members of a new record from the others, with the secret of the host. */
  readonly stamp?: (values: Values, cipher: Pick<Cipher, "mark">) => Values;
  /** Members that an action takes besides the fields, for its hooks; they are not kept. */
  readonly inputs?: Inputs;
  /** Members without effect that clients of the field send in `properties`, each with its sender; they are accepted. */
  readonly inert?: Readonly<Record<string, string>>;
  /**
   * Returns whether a create accepts an unknown member. The header `X-Unknown-Attributes` names it, and a name that
   * resembles a known one is still refused.
   */
  readonly acceptsUnknown?: (properties: Values, member: string) => boolean;
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
  /** Members beside the record in the answer of an action, from its hook or from what wraps it; they are not kept. */
  readonly shownBeside?: Partial<
    Readonly<Record<"create" | "update" | "validate", Readonly<Record<string, TSchema>>>>
  >;
  /** Members of a body beside `properties`, for what wraps the action. */
  readonly readBeside?: Partial<Readonly<Record<"create", Readonly<Record<string, TSchema>>>>>;
  /** Members that are computed when a record is read; they are not kept, and no `attributes` names them. */
  readonly computed?: Computed;
  /** The id that `"me"` stands for. */
  readonly me?: (principal: Principal) => string;
}

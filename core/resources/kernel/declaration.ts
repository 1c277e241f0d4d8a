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
  /** Maximum lifetime of new tokens of type api, in days; 0 for no limit. */
  readonly apiTokenDays: number;
}

/** The call for which a hook runs, and the services that the hook uses. */
export interface HookCall {
  readonly context: Context;
  readonly principal: Principal;
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** The caller's address; undefined if the host makes the call on behalf of a caller. */
  readonly address: string | undefined;
  /** Receives sentences about values that are stored, but have no effect. */
  readonly warn?: ((sentences: readonly string[]) => void) | undefined;
}

/**
 * Functions of a declaration that the kernel calls during an action. If a hook throws, the call fails and its
 * transaction is rolled back.
 */
export interface Hooks<Of extends Fields = Fields, Inputs extends Fields = Fields> {
  /**
   * Runs further checks on the values of a create or an update; `row` is the record to update. The result is added to
   * the answer of `validate`.
   * @throws {ApiError}
   */
  onValidate?(
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
    row?: RowOf<{ fields: Of }>,
  ): Promise<Values>;
  /** Refuses the accepted values, or adds values that the host sets. */
  beforeCreate?(values: ValuesOf<Of & Inputs>, call: HookCall): Promise<Values>;
  /**
   * Runs in the transaction of the create. `values` are the result of `beforeCreate` and the inputs. Resolves to the
   * row if the hook changed it.
   */
  afterCreate?(
    row: RowOf<{ fields: Of }>,
    call: HookCall,
    transaction: Knex.Transaction,
    values: Values,
  ): Promise<Row | void>;
  /** Returns members that replace the stored members in the answer of a create. */
  showCreated?(row: RowOf<{ fields: Of }>, call: HookCall): Promise<Values>;
  beforeUpdate?(
    row: RowOf<{ fields: Of }>,
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
  ): Promise<Values>;
  /** Runs in the transaction of the update. `values` are the written values and the inputs. */
  afterUpdate?(
    row: RowOf<{ fields: Of }>,
    values: ValuesOf<Of & Inputs>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<void>;
  /** Runs after the update has been committed, with the record before and after it. It must not fail. */
  afterCommit?(
    before: RowOf<{ fields: Of }>,
    after: RowOf<{ fields: Of }>,
    call: HookCall,
  ): Promise<void>;
  /** Runs in the transaction of the delete. `values` are the inputs of the call. */
  beforeDelete?(
    row: RowOf<{ fields: Of }>,
    call: HookCall,
    transaction: Knex.Transaction,
    values: ValuesOf<Inputs>,
  ): Promise<void>;
  /** Runs after the delete has been committed. It must not fail. */
  afterDelete?(row: RowOf<{ fields: Of }>, call: HookCall): Promise<void>;
  /** Runs in the transaction of an associate or dissociate, before the change. */
  beforeLink?(
    change: LinkChange<RowOf<{ fields: Of }>>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<void>;
  /**
   * Runs in the transaction of an associate or dissociate that sets a foreign key of this resource, before the change.
   * Returns values to set together with the key.
   */
  beforeKey?(
    change: KeyChange<RowOf<{ fields: Of }>>,
    call: HookCall,
    transaction: Knex.Transaction,
  ): Promise<Values | void>;
}

/**
 * A change of the foreign key `key`, by which `holder` refers to `target`. `holder` belongs to the resource that has
 * the hook.
 */
export interface KeyChange<Holder = Row> {
  readonly action: "associate" | "dissociate";
  readonly key: string;
  readonly holder: Holder;
  readonly target: Row;
}

/** A change of a link between two records. */
export interface LinkChange<Own = Row> {
  readonly action: "associate" | "dissociate";
  readonly link: Link;
  /** The record of the resource that has the hook. The call may name the two records in either order. */
  readonly own: Own;
  readonly other: Row;
  readonly values: Values;
  /** Path of `values` in the body. */
  readonly path: string;
}

/** Members that are not stored but computed when a record is read. */
export interface Computed {
  /**
   * The stored members from which the computed members derive. If `attributes` omits one of these, the answer contains
   * no computed members.
   */
  readonly from: readonly string[];
  readonly schemas: Readonly<Record<string, TSchema>>;
  of(record: Values): Values;
}

/** Everything that the kernel needs to know about a resource. */
export interface Declaration<Of extends Fields = Fields, Inputs extends Fields = Fields> {
  /** The name of the resource in the API and in the catalog. */
  readonly name: string;
  /** What a record is, for the API's description and reference: one or two sentences. */
  readonly description: string;
  /** Which callers have which rights on a record, as `allow` decides it, in one or two sentences. */
  readonly rights: string;
  readonly actions: readonly RecordAction[];
  /** The roles that actions require, for actions with a role other than the default (`policy.ts`). */
  readonly roles?: {
    readonly create?: OrganizationRole;
    readonly update?: Right;
    readonly delete?: Right;
  };
  /**
   * The member that contains the owner's id. A record always has an owner, so a user who owns records cannot be
   * deleted.
   */
  readonly ownedBy?: string;
  /** SQL that is true for records with an owner of their own, and false for parts of other records. */
  readonly ownedIf?: string;
  readonly fields: Of;
  /**
   * For the API description: members that a create requires in a form that depends on the value of the member `by`.
   * Hooks check these members.
   */
  readonly variants?: {
    readonly by: keyof Of & string;
    readonly members: Readonly<Record<string, Readonly<Record<string, TSchema>>>>;
  };
  /**
   * Whether records are deleted with their owner instead of being transferred, because they act with the owner's
   * rights.
   */
  readonly goesWithOwner?: true;
  /** Computes members of a new record from its other members, using the host's secret. */
  readonly stamp?: (values: Values, cipher: Pick<Cipher, "mark">) => Values;
  /** Additional members that an action accepts for its hooks. They are not stored. */
  readonly inputs?: Inputs;
  /**
   * Members that clients send in `properties` and that are accepted but have no effect. The values name these clients.
   */
  readonly inert?: Readonly<Record<string, string>>;
  /**
   * Returns whether a create accepts an unknown member, which the header `X-Unknown-Attributes` then names. A name that
   * resembles a known member is always refused.
   */
  readonly acceptsUnknown?: (properties: Values, member: string) => boolean;
  /** Returns SQL that is true if row filters apply to the caller. The record's `withheld` members are then null. */
  readonly isLimited?: (knex: Knex, alias: string, principal: Principal) => Knex.Raw;
  /** The rule that determines the records on which a caller has a right. Every action applies it. */
  readonly allow: Allow;
  /** Narrows a query over `alias` to the records of the caller's organization. */
  readonly inOrganization?: (query: Knex.QueryBuilder, alias: string, principal: Principal) => void;
  readonly associations: Readonly<Record<string, Association>>;
  readonly hooks?: Hooks<Of, Inputs>;
  /** Members that only the answer of a create contains. That answer contains them unless the caller chose them. */
  readonly shownOnce?: readonly string[];
  /** The inputs with which a caller chooses a member of `shownOnce`, by the member. */
  readonly chosenWith?: Readonly<Record<string, string>>;
  /**
   * Additional members in the answer of an action. A hook or the code that wraps the action sets them. They are not
   * stored.
   */
  readonly shownBeside?: Partial<
    Readonly<Record<"create" | "update" | "validate", Readonly<Record<string, TSchema>>>>
  >;
  /** Additional members of a body next to `properties`. The code that wraps the action reads them. */
  readonly readBeside?: Partial<Readonly<Record<"create", Readonly<Record<string, TSchema>>>>>;
  /** Members that are computed when a record is read. They are not stored, and `attributes` cannot select them. */
  readonly computed?: Computed;
  /** Returns the id that the value `"me"` stands for. */
  readonly me?: (principal: Principal) => string;
}

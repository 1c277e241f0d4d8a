import type { Knex } from "knex";
import type { Principal, Right } from "./principal.ts";

/** A row of the catalog. Members have the same names as on the wire, timestamps are Dates, and secrets are sealed. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** The row type of each resource by name. The declarations in core/resources/declarations.ts extend this interface. */
export interface ResourceRows {}

/** The row type of the named resource, or `Row` if the name is known only at run time. */
export type ResourceRow<Resource extends string> = Resource extends keyof ResourceRows
  ? ResourceRows[Resource]
  : Row;

/**
 * Values of members that the host's own code writes. An omitted member keeps its value, or gets its default in a new
 * record.
 */
export type WrittenValues<Resource extends string> = {
  readonly [Member in keyof ResourceRow<Resource>]?:
    | ResourceRow<Resource>[Member]
    // Datetimes may be ISO 8601 strings.
    | (ResourceRow<Resource>[Member] extends Date | null ? string : never)
    | undefined;
};

/**
 * Conditions on members, all of which must be met. Each condition is a single value, a list of alternatives, or null.
 */
export type WantedValues<Resource extends string> = {
  readonly [Member in keyof ResourceRow<Resource>]?:
    | ResourceRow<Resource>[Member]
    | readonly ResourceRow<Resource>[Member][]
    | null
    | undefined;
};

/** Two records that an association links: the record that owns the association, and the other record. */
export interface Linked {
  readonly ownId: string;
  readonly otherId: string;
}

/**
 * The catalog's records, as the host's own code uses them. Values are trusted, and only `visible` checks rights.
 * Defaults, ids and timestamps are filled in as the resource declares them.
 */
export interface Records {
  insert<Resource extends string>(
    resource: Resource,
    values: WrittenValues<Resource>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>>;
  insertMany<Resource extends string>(
    resource: Resource,
    values: readonly WrittenValues<Resource>[],
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>[]>;
  /**
   * Sets members of a record, and its `updated_at`.
   * @throws {ApiError} RECORD_NOT_FOUND
   */
  change<Resource extends string>(
    resource: Resource,
    id: string,
    values: WrittenValues<Resource>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>>;
  /**
   * Locks a record against changes until the transaction ends.
   * @throws {ApiError} RECORD_NOT_FOUND
   */
  lock(resource: string, id: string, transaction: Knex.Transaction): Promise<void>;
  /**
   * Sets members of several records, and their `updated_at`. `valuesById` sets the same members of every record.
   * Returns the changed rows, in no particular order. Ids without a record are ignored.
   */
  changeMany<Resource extends string>(
    resource: Resource,
    valuesById: ReadonlyMap<string, WrittenValues<Resource>>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>[]>;
  /**
   * Returns the rows whose members match `where`, in no particular order. A list in `where` matches a member that
   * equals any of the list's values.
   */
  find<Resource extends string>(
    resource: Resource,
    where: WantedValues<Resource>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>[]>;
  /** Returns the links of an association in which either record is one of `ids`, in no particular order. */
  linked(resource: string, association: string, ids: readonly string[]): Promise<readonly Linked[]>;
  remove(resource: string, ids: readonly string[], transaction?: Knex.Transaction): Promise<void>;
  /**
   * Returns, by id, the rows with these `ids` on which the caller has the right. All other ids, including malformed
   * ones, are absent from the result.
   */
  visible<Resource extends string>(
    resource: Resource,
    ids: readonly string[],
    right: Right,
    principal: Principal,
    transaction?: Knex.Transaction,
  ): Promise<Map<string, ResourceRow<Resource>>>;
  /** Returns the wire form of a row, without secrets and with datetimes as ISO strings. */
  present(resource: string, row: Row): Record<string, unknown>;
  /** Decrypts a sealed member; undefined if it is null. */
  reveal(resource: string, row: Row, member: string): string | undefined;
  transaction<T>(run: (transaction: Knex.Transaction) => Promise<T>): Promise<T>;
}

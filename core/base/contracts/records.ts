import type { Knex } from "knex";
import type { Principal, Right } from "./principal.ts";

/** A row of the catalog. Members carry the wire's names; timestamps are Dates; secrets are sealed. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** The row of each resource by name. core/resources/declarations.ts adds its declarations to it. */
export interface ResourceRows {}

/** The row of the resource with this name; a `Row` when only the running host knows the name. */
export type ResourceRow<Resource extends string> = Resource extends keyof ResourceRows
  ? ResourceRows[Resource]
  : Row;

/**
 * Values of members that the host's own code writes; members that are left out keep their value or get their default.
 */
export type WrittenValues<Resource extends string> = {
  readonly [Member in keyof ResourceRow<Resource>]?:
    | ResourceRow<Resource>[Member]
    // An instant may be written as ISO 8601 text.
    | (ResourceRow<Resource>[Member] extends Date | null ? string : never)
    | undefined;
};

/** The values of members of the wanted rows: a value, one of a list, or null. */
export type WantedValues<Resource extends string> = {
  readonly [Member in keyof ResourceRow<Resource>]?:
    | ResourceRow<Resource>[Member]
    | readonly ResourceRow<Resource>[Member][]
    | null
    | undefined;
};

/** Two records that an association links: the one that has it, and the other. */
export interface Linked {
  readonly ownId: string;
  readonly otherId: string;
}

/**
 * The catalog's records as the host's own code uses them. Values are trusted: no role is checked
 * but in `visible`; defaults, ids and timestamps of the declaration are filled in.
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
  /** Sets members and `updated_at`. @throws {ApiError} RECORD_NOT_FOUND */
  change<Resource extends string>(
    resource: Resource,
    id: string,
    values: WrittenValues<Resource>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>>;
  /** Rows whose members equal `where` (a list means one of), in no order. */
  find<Resource extends string>(
    resource: Resource,
    where: WantedValues<Resource>,
    transaction?: Knex.Transaction,
  ): Promise<ResourceRow<Resource>[]>;
  /** The links of an association that have one of `ids` at either end, in no order. */
  linked(resource: string, association: string, ids: readonly string[]): Promise<readonly Linked[]>;
  remove(resource: string, ids: readonly string[], transaction?: Knex.Transaction): Promise<void>;
  /**
   * Of `ids`, the rows on which the caller has the right, by id; every other id is absent, whatever the reason.
   * Malformed ids are absent too.
   */
  visible<Resource extends string>(
    resource: Resource,
    ids: readonly string[],
    right: Right,
    principal: Principal,
    transaction?: Knex.Transaction,
  ): Promise<Map<string, ResourceRow<Resource>>>;
  /** The wire form: what a response may carry, secrets left out, instants as ISO text. */
  present(resource: string, row: Row): Record<string, unknown>;
  /** The plain text of a sealed member, undefined when it is null. */
  reveal(resource: string, row: Row, member: string): string | undefined;
  transaction<T>(run: (transaction: Knex.Transaction) => Promise<T>): Promise<T>;
}

import type { Knex } from "knex";
import type { Principal, Right } from "./principal.ts";

/** A row of the catalog. Members carry the wire's names; timestamps are Dates; secrets are sealed. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Two records that an association links: the one that has it, and the other. */
interface Linked {
  readonly ownId: string;
  readonly otherId: string;
}

/**
 * The catalog's records as the host's own code uses them. Values are trusted: no role is checked
 * but in `visible`; defaults, ids and timestamps of the declaration are filled in.
 */
export interface Records {
  insert(
    resource: string,
    values: Readonly<Record<string, unknown>>,
    transaction?: Knex.Transaction,
  ): Promise<Row>;
  insertMany(
    resource: string,
    values: readonly Readonly<Record<string, unknown>>[],
    transaction?: Knex.Transaction,
  ): Promise<Row[]>;
  /** Sets members and `updated_at`. @throws {ApiError} RECORD_NOT_FOUND */
  change(
    resource: string,
    id: string,
    values: Readonly<Record<string, unknown>>,
    transaction?: Knex.Transaction,
  ): Promise<Row>;
  /** Rows whose members equal `where` (a list means one of), in no order. */
  find(
    resource: string,
    where: Readonly<Record<string, unknown>>,
    transaction?: Knex.Transaction,
  ): Promise<Row[]>;
  /** The links of an association that have one of `ids` at either end, in no order. */
  linked(resource: string, association: string, ids: readonly string[]): Promise<readonly Linked[]>;
  remove(resource: string, ids: readonly string[], transaction?: Knex.Transaction): Promise<void>;
  /** Of `ids`, the rows on which the caller has the right, by id; every other id is absent, whatever the reason. Malformed ids are absent too. */
  visible(
    resource: string,
    ids: readonly string[],
    right: Right,
    principal: Principal,
    transaction?: Knex.Transaction,
  ): Promise<Map<string, Row>>;
  /** The wire form: what a response may carry, secrets left out, instants as ISO text. */
  present(resource: string, row: Row): Record<string, unknown>;
  /** The plain text of a sealed member, undefined when it is null. */
  reveal(resource: string, row: Row, member: string): string | undefined;
  transaction<T>(run: (transaction: Knex.Transaction) => Promise<T>): Promise<T>;
}

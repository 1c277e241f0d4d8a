import type { Knex } from "knex";
import type { Static, TSchema } from "typebox";
import type { Principal } from "../../base/index.ts";
import type { Role } from "./role.ts";

export type Values = Readonly<Record<string, unknown>>;

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
  /** Who or what sets a member that no caller can set, for messages. */
  readonly setBy?: string;
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

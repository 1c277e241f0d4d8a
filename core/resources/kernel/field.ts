import type { Knex } from "knex";
import type { Static, TSchema } from "typebox";
import type { Principal } from "../../base/index.ts";
import type { Role } from "./role.ts";

export type Values = Readonly<Record<string, unknown>>;

/** How the catalog stores a member. */
export type Storage =
  | "uuid"
  | "text"
  | "boolean"
  | "double precision"
  | "jsonb"
  | "timestamp with time zone"
  | "bytea";

/** A member of a record: how it is stored, who may set it, and how it is checked and shown. */
export interface Field<
  Stored extends Storage = Storage,
  Schema extends TSchema = TSchema,
  Nullable extends boolean = boolean,
> {
  readonly storage: Stored;
  readonly schema: Schema;
  /** What the member means, for the API's description: one or two sentences. Hidden members have none. */
  readonly description?: string;
  /**
   * The schema of the value in the API description, for members whose `schema` says little, because `check` or a hook
   * tests them. Consists of references to named schemas, and does not refuse any value itself.
   *
   * @default schema
   */
  readonly described?: {
    readonly given: TSchema;
    /** The schema of the value in responses. @default given */
    readonly shown?: TSchema;
  };
  /** The kind of value, for messages, such as "a string". */
  readonly expects: string;
  readonly nullable: Nullable;
  /** The actions that may set the member. If the list is empty, the member appears only in responses. */
  readonly on: readonly ("create" | "update" | "delete")[];
  readonly required?: boolean;
  /** For messages: who or what sets a member that no caller can set. */
  readonly setBy?: string;
  /** The default for new records. If it is a function, it is called for each record. */
  readonly default?: unknown;
  /** Whether the value is stored encrypted, and never returned, searched, ordered by or selected. */
  readonly secret?: boolean;
  /**
   * Whether the value is stored encrypted as a whole, and decrypted for the host's code. Responses show only the names
   * of its members.
   */
  readonly sealed?: boolean;
  /** Whether the member is never part of the API. */
  readonly hidden?: boolean;
  /**
   * Returns SQL for the value that a caller sees instead of the stored value; undefined for a caller who sees the
   * stored value. Callers who see another value can neither search nor order by the member.
   */
  readonly instead?: (knex: Knex, alias: string, principal: Principal) => Knex.Raw | undefined;
  /**
   * Whether the member reveals something about all rows of a dataset, or about how they are fetched. A withheld member
   * is null for embed tokens, and if `isLimited` is true.
   */
  readonly withheld?: true;
  /** Whether lists return null for the member unless `attributes` names it. */
  readonly onRequest?: boolean;
  /**
   * Checks the rules that the schema cannot express. Returns words that complete "must …", or undefined for a valid
   * value.
   */
  readonly check?: (value: unknown) => string | undefined;
  /** Converts a valid value from its wire form to its stored form. */
  readonly convert?: (value: unknown) => unknown;
  /** Whether the value is, or may be, an object with a string per language. */
  readonly isMultilingual?: true;
  /**
   * Maximum number of characters of the string, or of each string of a multilingual value.
   *
   * @default limits.textLength
   */
  readonly length?: number;
  /** The resource of the record whose id is the value, and the role that the caller needs on that record. */
  readonly refersTo?: readonly [resource: string, role: Role];
  /**
   * For a sealed member, returns what a response shows instead of only the names. `beside` is undefined if `showBeside`
   * was not read.
   */
  readonly show?: (value: Values, beside: unknown) => Values;
  /** Returns SQL for an additional value that `show` needs. The value is read in the same statement. */
  readonly showBeside?: (knex: Knex, alias: string) => Knex.Raw;
  /** For a member of a link: whether a call that omits it keeps the stored value instead of setting the default. */
  readonly stays?: true;
}
export type Fields = Readonly<Record<string, Field>>;

/**
 * The value of a field in a row of the catalog. It is the result of `convert` if the field has this function, otherwise
 * a value of the schema. Instants are Dates, secrets stay encrypted, and sealed members are decrypted.
 */
type ValueOf<Each extends Field> =
  | (Each["storage"] extends "timestamp with time zone"
      ? Date
      : Each extends { readonly convert: (value: never) => infer Converted }
        ? Exclude<Converted, undefined>
        : Static<Each["schema"]>)
  | (Each["nullable"] extends false ? never : null);

/** The type of the rows of a declaration, as in `RowOf<typeof column>`. */
export type RowOf<Declared extends { readonly fields: Fields }> = {
  readonly [Member in keyof Declared["fields"]]: ValueOf<Declared["fields"][Member]>;
} & { readonly id: string };

/** The checked and converted values that a call sets in a row. Members that the call omits are absent. */
export type ValuesOf<Of extends Fields> = {
  readonly [Member in keyof Of]?: ValueOf<Of[Member]> | undefined;
};

import type { Knex } from "knex";
import type { Principal, Right } from "../access/principal.ts";

const flagOf: { readonly [Each in Right]: string } = {
  read: "flagRead",
  use: "flagUse",
  modify: "flagModify",
  own: "flagOwn",
};

/** Where a record is its owner's, and of those users to whom a link table gives the right. */
export interface Sharing {
  readonly ownerKey: string;
  readonly table: string;
  readonly recordKey: string;
}

/** Narrows a query to the records that the caller owns, or holds by the flags of a link. */
export function allowShared({ ownerKey, table, recordKey }: Sharing) {
  return (query: Knex.QueryBuilder, alias: string, right: Right, principal: Principal): void => {
    query
      .where(`${alias}.${ownerKey}`, principal.userId)
      .orWhereRaw("exists (select 1 from ?? l where l.?? = ??.id and l.user_id = ? and l.??)", [
        table,
        recordKey,
        alias,
        principal.userId,
        flagOf[right],
      ]);
  };
}

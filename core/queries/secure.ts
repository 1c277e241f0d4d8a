import type { Principal } from "../access/principal.ts";
import type { BoundQuery } from "./resolve.ts";

declare const secured: unique symbol;

/** A bound query with everything in it that limits what its caller may see. `secure` alone makes one, and `planQuery` takes nothing else. */
export type SecuredQuery = BoundQuery & { readonly [secured]: true };

/** Adds what limits the caller to a bound query. No right short of the dataset's exists, so nothing is added. */
export function secure(query: BoundQuery, _principal: Principal): SecuredQuery {
  return query as SecuredQuery;
}

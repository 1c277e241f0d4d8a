import { find, type Found } from "../find/find.ts";
import type { KernelCall } from "../kernelCall.ts";

/** Answers the records that the caller may read and that `find` describes. */
export async function get({
  context,
  cipher,
  declaration,
  principal,
  body,
  note,
}: KernelCall): Promise<Found> {
  const { knex, declarations } = context;
  return find({ knex, cipher, declarations, declaration, principal, note }, body.find);
}

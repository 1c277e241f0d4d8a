import { find, type Found } from "../find/find.ts";
import type { KernelCall } from "../kernelCall.ts";

/** Returns the records that match `find` and that the caller may read. */
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

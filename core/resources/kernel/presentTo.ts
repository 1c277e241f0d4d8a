import type { Row } from "../records.ts";
import type { KernelCall } from "./kernelCall.ts";

/** The wire form of a record that a call changed, without what is withheld from its caller. One statement more where rows may be limited. */
export async function presentTo(
  { context, declaration, principal }: KernelCall,
  row: Row,
): Promise<Record<string, unknown>> {
  const { knex, records } = context;
  const { name, fields, isLimited } = declaration;
  const record = records.present(name, row);
  if (!isLimited) return record;
  const found: { limited: boolean } | undefined = await knex(`${name} as t`)
    .where("t.id", row.id)
    .first({ limited: isLimited(knex, "t", principal) });
  if (!found?.limited) return record;
  return Object.fromEntries(
    Object.entries(record).map(([member, value]) => [
      member,
      fields[member]?.withheld ? null : value,
    ]),
  );
}

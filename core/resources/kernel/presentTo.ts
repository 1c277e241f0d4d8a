import type { Knex } from "knex";
import type { Row, Members } from "../../base/index.ts";
import type { Declaration } from "./declaration.ts";
import type { KernelCall } from "./kernelCall.ts";
import { besideColumn } from "./rowForm.ts";

/**
 * Returns the wire form of a record for the caller who just created it. Nothing is withheld from this caller. Runs one
 * more SQL statement if `showBeside` must be read.
 */
export function presentMade(call: KernelCall, row: Row): Promise<Record<string, unknown>> {
  return present(call, row, undefined);
}

/**
 * Returns the wire form of a record that a call changed, without the values that are withheld from the caller. Runs one
 * more SQL statement if row filters may apply or `showBeside` must be read.
 */
export function presentTo(call: KernelCall, row: Row): Promise<Record<string, unknown>> {
  return present(call, row, call.declaration.isLimited);
}

async function present(
  { context, declaration, principal }: KernelCall,
  row: Row,
  isLimited: Declaration["isLimited"],
): Promise<Record<string, unknown>> {
  const { knex, records } = context;
  const { name, fields } = declaration;
  const read: Record<string, Knex.Raw> = {};
  for (const [member, { showBeside }] of Object.entries(fields))
    if (showBeside && row[member]) read[besideColumn(member)] = showBeside(knex, "t");
  if (isLimited) read["limited"] = isLimited(knex, "t", principal);
  if (Object.keys(read).length === 0) return records.present(name, row);
  const found: Members<"limited"> | undefined = await knex(`${name} as t`)
    .where("t.id", row.id)
    .first(read);
  const record = records.present(name, { ...found, ...row });
  if (!found?.limited) return record;
  return Object.fromEntries(
    Object.entries(record).map(([member, value]) => [
      member,
      fields[member]?.withheld ? null : value,
    ]),
  );
}

import type { Dialect } from "./dialect.ts";
import type { SqlTable } from "./driver.ts";
import { trusted, type Fragment } from "./fragment.ts";

/** Quotes the name of a table and of its schema. */
export function tableOf(
  { schema, name }: Pick<SqlTable, "schema" | "name">,
  { quote }: Dialect,
): Fragment {
  return trusted(schema === "" ? quote(name) : `${quote(schema)}.${quote(name)}`);
}

import type { Catalog } from "../../../catalog/index.ts";
import { type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "accounts";
/** Maximum number of accounts to list. */
const mostNamed = 20;

interface Warned {
  readonly name: string;
  readonly organization: string | null;
  readonly warnings: readonly string[];
  readonly count: number;
}

/**
 * Returns SQL for the English name of a record, or, if it has none, for its name in the first other language. The name
 * may also be a plain string.
 */
const nameOf = (column: string): string => `case jsonb_typeof(${column})
  when 'object' then coalesce(${column} ->> 'en', (select min(value) from jsonb_each_text(${column})))
  else ${column} #>> '{}' end`;

/** Lists the accounts whose credentials had rights other than reading at the host's last check. */
export async function checkAccounts({ knex }: Pick<Catalog, "knex">): Promise<Diagnosis[]> {
  const { rows } = await knex.raw<{ rows: readonly Warned[] }>(
    `select
       coalesce(${nameOf("a.name")}, a.provider) as name,
       (select ${nameOf("o.name")} from organization_user link
        join organization o on o.id = link.organization_id
        where link.user_id = a.user_id order by o.id limit 1) as organization,
       a.access_warnings as warnings,
       (count(*) over ())::int as count
     from account a
     where jsonb_typeof(a.access_warnings) = 'array'
     order by 1, a.id limit ?`,
    [mostNamed],
  );
  if (rows.length === 0)
    return [good(check, "no account is known to have rights other than reading")];
  const more = (rows[0]?.count ?? 0) - rows.length;
  return [
    ...rows.map(({ name, organization, warnings }) =>
      weak(
        check,
        `${name}${organization === null ? "" : ` of ${organization}`}: ${warnings.join(". ")}`,
        "create a database user with only SELECT and enter it in the account (docs/connectors)",
      ),
    ),
    ...(more > 0
      ? [
          weak(
            check,
            `${more} more accounts have rights other than reading`,
            "correct the accounts above first",
          ),
        ]
      : []),
  ];
}

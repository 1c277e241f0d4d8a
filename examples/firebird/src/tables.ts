import { allRows } from "@manifold-analytics/plugin/sql";
import type { SqlColumn, SqlDriver, SqlTable } from "@manifold-analytics/plugin/sql";

// Firebird numbers its types. Columns of bytes, and columns of types that are not listed here, such as BLOB, are left
// out.
const text = `select trim(trailing from r.rdb$relation_name), r.rdb$relation_type,
    trim(trailing from c.rdb$field_name), trim(decode(f.rdb$field_type, 12, 'date', 14, 'char',
      23, 'boolean', 29, 'zoned', 35, 'timestamp', 37, 'varchar', 'number')),
    trim(case when f.rdb$field_type in (12, 29, 35) then 'datetime'
      when f.rdb$field_type in (14, 23, 37) then 'hierarchy' else 'numeric' end), f.rdb$character_length
  from rdb$relations r
  join rdb$relation_fields c on c.rdb$relation_name = r.rdb$relation_name
  join rdb$fields f on f.rdb$field_name = c.rdb$field_source
    and f.rdb$field_type in (7, 8, 10, 12, 14, 16, 23, 24, 25, 26, 27, 29, 35, 37)
    and (f.rdb$field_type not in (14, 37) or f.rdb$character_set_id <> 1)
  where coalesce(r.rdb$system_flag, 0) = 0 and (current_user in ('SYSDBA', r.rdb$owner_name)
    or exists (select 1 from rdb$user_privileges p where p.rdb$relation_name = r.rdb$relation_name
      and p.rdb$privilege = 'S' and p.rdb$user in (current_user, current_role, 'PUBLIC')))`;

/** Lists the tables and views that the user may select from. Firebird has no schemas before version 6. */
export const listTables: SqlDriver["tables"] = async (session, signal, only) => {
  const where = only ? " and r.rdb$relation_name = cast(? as varchar(63))" : "";
  const statement = `${text}${where} order by r.rdb$relation_name, c.rdb$field_position`;
  const rows = await allRows(session, { text: statement, values: only ? [only.name] : [] }, signal);
  return [...Map.groupBy(rows, ([name]) => String(name))].map(([name, columns]): SqlTable => ({
    schema: "",
    name,
    kind: columns[0]?.[1] === 1 ? "view" : "table",
    columns: columns.map(readColumn),
  }));
};

function readColumn([, , name, native, type, length]: readonly unknown[]): SqlColumn {
  const nativeType = length === null ? String(native) : `${native}(${length})`;
  const known = type === "datetime" || type === "hierarchy" ? type : "numeric";
  const column: SqlColumn = { name: String(name), nativeType, type: known };
  return native === "date" ? { ...column, subtype: "date" } : column;
}

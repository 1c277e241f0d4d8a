import { foldTree, type ColumnFilter, type Filter } from "../protocol/index.ts";
import type { ColumnScope } from "./columnScope.ts";
import { always, compileTest, never } from "./compileTest.ts";
import type { Dialect } from "./dialect.ts";
import { join, sql, trusted, type Fragment } from "./fragment.ts";

/** Compiles filters joined by AND to a `where` clause. The clause is empty if there are no filters. */
export function compileFilters(
  filters: readonly Filter[],
  scope: ColumnScope,
  dialect: Dialect,
): Fragment {
  if (filters.length === 0) return trusted("");
  const testOf = ({ expression, value, ...column }: ColumnFilter) =>
    compileTest(scope.valueOf(column), expression, value, dialect);
  const tests = filters.map((filter) =>
    foldTree<ColumnFilter, Fragment>(filter, { leaf: testOf, and: allOf, or: anyOf }),
  );
  return sql` where ${join(tests, " and ")}`;
}

/** Joins tests by AND. Returns the constant true if there are no tests. */
export function allOf(members: readonly Fragment[]): Fragment {
  return members.length === 0 ? always : sql`(${join(members, " and ")})`;
}

/** Joins tests by OR. Returns the constant false if there are no tests. */
export function anyOf(members: readonly Fragment[]): Fragment {
  return members.length === 0 ? never : sql`(${join(members, " or ")})`;
}

import * as assert from "uvu/assert";
import { answerKey, answerShape } from "../../../../core/queries/cache/answerKey.ts";
import type { QueriedDataset } from "../../../../core/queries/queriedDataset.ts";
import type { ParsedQuery } from "../../../../core/queries/parsedQuery.ts";
import type { SecuredQuery } from "../../../../core/queries/secure/secure.ts";
import type { User } from "../../../../plugins/protocol/index.ts";
import { connectionOf } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { suite } from "../../../support/suite.ts";

const ada: User = { id: "ada", name: "Ada", email: "ada@example.org" };
const connection = connectionOf("plain", createPlainPlugin());
const dataset = {
  id: "D",
  connection,
  source: { id: "sheet", columns: [{ id: "km", type: "numeric", name: {} }] },
  columns: new Map(),
  everyColumn: new Map(),
  rowFilters: [],
  freshness: { maxAgeMs: 1000 },
} as unknown as QueriedDataset;
const stored = { ...dataset, freshness: { version: "1", maxAgeMs: Infinity } };
const query = {
  id: "sheet",
  columns: [{ column_id: "km", aggregation: "sum" }],
  filters: [{ column_id: "km", expression: "=", value: [1] }],
  having: [],
  order: [],
  limit: { by: 10, offset: 0 },
  options: { pushdown: true },
};
const secured = {
  dataset,
  joined: [],
  query,
  formulas: [],
  types: ["numeric"],
  cells: [0],
  limited: false,
} as unknown as SecuredQuery;
const withQuery = (more: object) => ({ ...secured, query: { ...query, ...more } }) as SecuredQuery;
const withDataset = (more: object) =>
  ({ ...secured, dataset: { ...dataset, ...more } }) as SecuredQuery;
const keyOf = (requested: SecuredQuery, user = ada, parsed?: ParsedQuery) =>
  answerKey(requested, user, () => answerShape(requested, parsed))?.text;

suite("core/queries/cache/answerKey", (test) => {
  test("equal queries of one caller have the same key, even as different objects", () => {
    assert.is(keyOf(structuredClonePlain(secured)), keyOf(secured));
  });

  test("changing anything that affects the answer changes the key", () => {
    const filter = (value: unknown) =>
      withQuery({ filters: [{ column_id: "km", expression: "=", value: [value] }] });
    const [column] = dataset.source.columns;
    const variants: Readonly<Record<string, string | undefined>> = {
      none: keyOf(secured),
      "another filter": keyOf(withQuery({ filters: [] })),
      "the value of a filter": keyOf(filter(2)),
      "its type": keyOf(filter("1")),
      "negative zero": keyOf(filter(-0)),
      zero: keyOf(filter(0)),
      null: keyOf(filter(null)),
      "not a number": keyOf(filter(Number.NaN)),
      "a lone surrogate": keyOf(filter("\ud800")),
      "another lone surrogate": keyOf(filter("\ud801")),
      "the replacement character": keyOf(filter("\ufffd")),
      "an operator": keyOf(
        withQuery({ filters: [{ column_id: "km", expression: "!=", value: [1] }] }),
      ),
      "a limit": keyOf(withQuery({ limit: { by: 11, offset: 0 } })),
      "a time zone": keyOf(withQuery({ options: { pushdown: true, timezone_id: "Asia/Tokyo" } })),
      "a formula": keyOf({ ...secured, formulas: [{ type: "numeric" }] } as never),
      "the table": keyOf(withDataset({ source: { ...dataset.source, id: "other" } })),
      "another column": keyOf(
        withDataset({ source: { ...dataset.source, columns: [column, { ...column, id: "at" }] } }),
      ),
      "a column's type": keyOf(
        withDataset({ source: { ...dataset.source, columns: [{ ...column, type: "hierarchy" }] } }),
      ),
      "the credentials": keyOf(
        withDataset({ connection: { ...connection, fingerprint: "other" } }),
      ),
      "rows in the store": keyOf(withDataset({ freshness: stored.freshness })),
      "the version of these rows": keyOf(
        withDataset({ freshness: { version: "2", maxAgeMs: Infinity } }),
      ),
      "the user's id": keyOf(secured, { ...ada, id: "bob" }),
      "the user's name": keyOf(secured, { ...ada, name: "Bob" }),
      "the user's address": keyOf(secured, { ...ada, email: "bob@example.org" }),
      "metadata of the token": keyOf(secured, { ...ada, metadata: { tenant: 1 } }),
      "other metadata": keyOf(secured, { ...ada, metadata: { tenant: "1" } }),
      "complete dimensions": keyOf(secured, ada, { path: "", dimensions: [] } as never),
    };
    const seen = new Map<string | undefined, string>();
    for (const [what, key] of Object.entries(variants)) {
      assert.type(key, "string", what);
      assert.is(seen.get(key), undefined, `${what} is like ${seen.get(key)}`);
      seen.set(key, what);
    }
  });

  test("all users share the key of a query over stored rows, because the store does not receive the user", () => {
    const own = withDataset({ freshness: stored.freshness });
    assert.is(keyOf(own, { ...ada, id: "bob" }), keyOf(own));
  });

  test("a query that reads a source without caching has no key, even if it also joins cached sources", () => {
    const fresh = { ...dataset, freshness: { maxAgeMs: 0 } };
    assert.is(keyOf(withDataset({ freshness: { maxAgeMs: 0 } })), undefined);
    assert.is(keyOf({ ...secured, datasets: [stored, fresh] } as never), undefined);
    const several = { ...secured, datasets: [stored, dataset] } as unknown as SecuredQuery;
    const key = answerKey(several, ada, () => answerShape(several, undefined));
    assert.is(key?.maxAgeMs, 1000);
  });

  test("a cache key reveals neither values nor credentials", () => {
    const key = keyOf(
      withQuery({ filters: [{ column_id: "km", expression: "=", value: ["s3"] }] }),
    );
    assert.match(String(key), /^[A-Za-z0-9+/]{43}=  [A-Za-z0-9+/]{43}=$/);
  });

  test("creating a query's cache key fails if JSON would drop one of the query's values", () => {
    for (const opaque of [new Map([["a", 1]]), new Set([1]), () => 1, 1n])
      assert.throws(
        () => keyOf(withQuery({ derived: opaque })),
        (failure: unknown) => failure instanceof TypeError,
      );
  });
});

/** Copies a query, except for its connection and its column maps, which keys do not include. */
function structuredClonePlain(requested: SecuredQuery): SecuredQuery {
  const { dataset: own, ...rest } = requested;
  return { dataset: { ...own, source: structuredClone(own.source) }, ...structuredClone(rest) };
}

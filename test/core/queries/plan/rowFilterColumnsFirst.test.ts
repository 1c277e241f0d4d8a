import * as assert from "uvu/assert";
import type { RowFilter } from "../../../../core/base/contracts/index.ts";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { legacyPushdown } from "../../../support/everySource.ts";
import { createJoinedHost } from "../../../support/joinedHost.ts";
import { repeater } from "../../../support/liars.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createPlainPlugin, type PlainPlugin } from "../../../support/plainPlugin.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "city", type: "hierarchy" },
  { id: "tenant", type: "hierarchy" },
  { id: "word", type: "hierarchy" },
  { id: "key", type: "hierarchy", expression: "lower({D:tenant})" },
];
/**
 * Rows of another tenant whose city or word passes the caller's filter if it is read in the position of `tenant`.
 */
const rows: readonly (readonly Cell[])[] = [
  ["Ghent", "a", "own"],
  ["a", "foreign", "foreign"],
  ["foreign", "foreign", "a"],
];
const ref = (column_id: string) => ({ column_id, dataset_id: "D" });
const upper = (column_id: string) => ({
  expression: `upper({D:${column_id}})`,
  dataset_id: "D",
});
const plain = { options: { rollup_data: false } };
const isOwn = [rowFilter("key", "? = ?", "a")];
const isOthers = [rowFilter("key", "? != ?", "a")];

interface Case {
  readonly of: string;
  readonly own: { readonly filters: readonly RowFilter[]; readonly find: object };
  readonly others: { readonly filters: readonly RowFilter[]; readonly find: object };
  /** The columns that both queries must request before all others. */
  readonly first: readonly string[];
}

const cases: readonly Case[] = [
  {
    of: "groups of a token with the same filters in another order",
    own: {
      filters: [rowFilter("tenant", "? = ?", "a"), rowFilter("word", "? != ?", "x")],
      find: { dimensions: [ref("city")] },
    },
    others: {
      filters: [rowFilter("word", "? != ?", "x"), rowFilter("tenant", "? != ?", "a")],
      find: { dimensions: [ref("city")] },
    },
    first: ["tenant", "word"],
  },
  {
    of: "groups of another query, where the filter tests a derived column",
    own: { filters: isOwn, find: { dimensions: [ref("city")] } },
    others: { filters: isOthers, find: { dimensions: [upper("city")] } },
    first: ["tenant"],
  },
  {
    of: "plain rows of another query, where the filter tests a derived column",
    own: { filters: isOwn, find: { dimensions: [ref("word")], ...plain } },
    others: { filters: isOthers, find: { dimensions: [ref("city")], ...plain } },
    first: ["tenant"],
  },
];

suite("core/queries/plan/rowFilterColumnsFirst", (test) => {
  for (const { of, own, others, first } of cases)
    test(`if a plugin repeats ${of}, callers with other filter values see none of the rows`, async () => {
      const source = createPlainPlugin(legacyPushdown);
      const { askAs } = await createPlainHost({
        columns,
        rows,
        isTrusted: false,
        source,
        wrap: (plugin) => repeater(plugin as PlainPlugin),
      });
      const told = await askAs(embedOf({ filters: others.filters }), others.find);
      assert.match(JSON.stringify(told.data), /foreign/i);
      const { data } = await askAs(embedOf({ filters: own.filters }), own.find);
      assert.not.match(JSON.stringify(data), /foreign/i);
      const firstOf = source.requested.map((requested) =>
        requested.columns.slice(0, first.length).map(({ column_id }) => column_id),
      );
      const expected = first.map((id) => `source.${id}`);
      assert.equal(firstOf, [expected, expected]);
    });

  test("if a plugin repeats rows of a joined dataset, a filter on a derived column hides them from other callers", async () => {
    const joined = [{ id: "place", type: "hierarchy" } as const, ...columns];
    const { sendQuery } = await createJoinedHost({
      datasets: [
        { id: "R", columns: [{ id: "at", type: "hierarchy" }], rows: [["1"], ["2"], ["3"]] },
        { id: "D", columns: joined, rows: rows.map((row, index) => [`${index + 1}`, ...row]) },
      ],
      links: [["at", "place"]],
      plugins: { D: repeating() },
      isTrusted: () => false,
    });
    const rowsOf = (id: string) => ({
      dimensions: [{ column_id: "at", dataset_id: "R" }, ref(id)],
      ...plain,
    });
    const told = await sendQuery(rowsOf("city"), embedOf({ filters: isOthers }));
    assert.match(JSON.stringify(told.data), "foreign");
    const { data } = await sendQuery(rowsOf("word"), embedOf({ filters: isOwn }));
    assert.not.match(JSON.stringify(data), "foreign");
  });
});

/** Creates a plugin with pushdown that repeats its previous answer to any query for plain rows. */
function repeating(): PlainPlugin {
  const honest = createPlainPlugin(legacyPushdown);
  const { query } = repeater(honest);
  return {
    ...honest,
    query: (call) => (call.query.options.pushdown ? honest.query(call) : query(call)),
  };
}

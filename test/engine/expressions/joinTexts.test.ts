import * as assert from "uvu/assert";
import { openStore, type Expression, type Plan, type Store } from "../../../engine/index.ts";
import { Dictionary } from "../../../engine/column/texts/dictionary.ts";
import { columnText } from "../../../engine/expressions/columnText.ts";
import { ExtendedTexts } from "../../../engine/expressions/extendedTexts.ts";
import { joinTexts } from "../../../engine/expressions/joinTexts.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { checkAnswer } from "../checkAnswer.ts";
import { referenceBounds, type Row } from "../referenceEngine.ts";
import { makeFolder, toBatch, toCells } from "../tables.ts";

const columns = [
  { name: "word", type: "text" },
  { name: "other", type: "text" },
  { name: "number", type: "number" },
] as const;
/** Rows with more distinct strings than one step can compute. */
const rows: readonly Row[] = Array.from({ length: 10_000 }, (_, row) => ({
  word: `w${(row * 7) % 10_000}`,
  other: row % 3 === 0 ? null : `w${row % 100}`,
  number: row % 10,
}));
const column = (name: string): Expression => ({ kind: "column", name });
const choice: Expression = {
  kind: "case",
  branches: [
    {
      when: { kind: "compare", left: column("number"), operator: "<", value: 3 },
      then: column("other"),
    },
    {
      when: { kind: "isNull", left: column("other") },
      then: { kind: "literal", type: "text", value: "none" },
    },
  ],
  otherwise: column("word"),
};
const coalesced: Expression = {
  kind: "call",
  function: "coalesce",
  of: [column("other"), column("word")],
};

suite("engine/expressions/joinTexts", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  let store: Store;
  test.before(async () => {
    folder = await makeFolder();
    store = await openStore({ dir: folder.path, workers: 1, memoryBytes: 2 ** 27 });
    await store.create({ name: "t", columns });
    await store.append({ table: "t", rows: toBatch(columns, rows) });
  });
  test.after(async () => {
    await store.close();
    await folder.remove();
  });

  test("joining dictionaries gives each distinct string one code, in the order of the dictionaries", () => {
    const [one, other] = [
      { texts: ["a", "b", "later"], textCount: 2 },
      { texts: ["b", "c"], textCount: 2 },
    ];
    const { strings, codes } = joinTexts([one, other]);
    assert.equal(strings, ["a", "b", "c"]);
    assert.equal(
      codes.map((each) => [...(each ?? [])]),
      [
        [0, 1, 2],
        [0, 2, 3],
      ],
    );
    assert.is(joinTexts([one, other]).strings, strings);
    assert.equal(joinTexts([other, one]).strings, ["b", "c", "a"]);
    assert.equal(joinTexts([{ ...one, textCount: 3 }, other]).strings, ["a", "b", "later", "c"]);
  });

  test("joining a dictionary with a few strings keeps the codes of the dictionary", () => {
    const dictionary = new Dictionary(["a", "b", "c", "later"]);
    const column = columnText(dictionary, 3, { kind: "byCode", column: 0 });
    const few = { texts: ["x", "b", "later", "x"], textCount: 4 };
    const { strings, textCount, codes } = joinTexts([few, column, column]);
    assert.instance(strings, ExtendedTexts);
    assert.is(textCount, 5);
    assert.equal(
      codes.map((each) => each && [...each]),
      [[0, 4, 2, 5, 4], undefined, undefined],
    );
    const all = ["a", "b", "c", "x", "later"];
    for (let from = 0; from <= all.length; from++)
      for (let until = from; until <= all.length; until++)
        assert.equal(strings.slice(from, until), all.slice(from, until));
    assert.equal("texts" in strings && strings.texts, all);
    assert.is(joinTexts([few, column]).strings, strings);
  });

  /** Returns the function that declares the tests of an expression. Both run the same code. */
  const declareFor = (name: string) => (name === "case" ? test : test.deep);
  // Binding must not restart forever, because it keeps the results of each attempt until the heap is full (found with
  // SEED=1 of engine/store/randomPlans, 65,537 rows).
  for (const [name, of] of Object.entries({ case: choice, coalesce: coalesced }))
    declareFor(name)(
      `strings are sorted, compared and mapped correctly in a ${name} with more strings than one step computes`,
      async () => {
        const upper: Expression = { kind: "call", function: "upper", of: [of] };
        const plans: readonly Plan[] = [
          { table: "t", grouped: true, outputs: [{ kind: "aggregate", function: "max", of }] },
          {
            table: "t",
            grouped: true,
            outputs: [{ kind: "aggregate", function: "rows" }],
            filter: { kind: "compare", left: of, operator: ">", value: "w5" },
          },
          {
            table: "t",
            grouped: true,
            outputs: [
              { kind: "key", of: upper },
              { kind: "aggregate", function: "rows" },
            ],
            order: [{ output: 0, descending: true }],
            limit: { count: 50, offset: 7 },
          },
          ...[50, 20_000].map((count): Plan => ({
            table: "t",
            grouped: true,
            outputs: [
              { kind: "key", of },
              { kind: "aggregate", function: "rows" },
            ],
            having: { kind: "compare", output: 0, operator: "<", value: "w9" },
            order: [{ output: 0, descending: false }],
            limit: { count, offset: 0 },
          })),
        ];
        for (const plan of rounds({ quick: plans.slice(0, -1), deep: plans }))
          checkAnswer(
            toCells(await store.query(plan)),
            plan,
            referenceBounds(plan, rows),
            JSON.stringify(plan),
          );
      },
    );
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { answerQuery } from "../../../plugins/conformance/answerQuery.ts";
import { claimsOf } from "../../../plugins/conformance/claims.ts";
import { randomFilter } from "../../../plugins/conformance/randomFilter.ts";
import { randomQuery } from "../../../plugins/conformance/randomQuery.ts";
import { joinable, subjectOf } from "../../../plugins/conformance/subject.ts";
import {
  columnOfCells,
  type Column,
  operators,
  type Query,
  rowsOfBatch,
} from "../../../plugins/protocol/index.ts";
import { openStrata } from "../../../plugins/strata/index.ts";
import { rounds } from "../../support/layer.ts";
import { everyCapability } from "../../support/plainPlugin.ts";
import { createRandom, type Random, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

/**
 * Characters with one and with two code units. In UTF-16 order, some of them come before the surrogates, and others
 * after.
 */
const characters = [
  "a",
  "Z",
  "é",
  "\ufffd",
  "\uffee",
  "\ue000",
  "𝒳",
  "🦄",
  "🇧",
  "\u{10ffff}",
  " ",
  "%",
];

const columns: readonly Column[] = [
  { id: "text", name: {}, type: "hierarchy" },
  { id: "number", name: {}, type: "numeric" },
];

const drawText = (random: Random): string =>
  Array.from({ length: 1 + random.below(4) }, () => random.pick(characters)).join("");

const drawTexts = (random: Random): readonly string[] => [
  ...new Set(Array.from({ length: 24 }, () => drawText(random))),
];

function subjectsOf(texts: readonly string[]) {
  const rows = texts.map((text, at) => ({ text, number: at }));
  const subject = (id: string) =>
    subjectOf({ id, name: {}, columns: [...columns] }, { columns, rows }, everyCapability);
  return joinable([subject("texts"), subject("others")]);
}

/**
 * Returns whether a value contains a lone surrogate. JSON escapes lone surrogates, but writes whole characters
 * unchanged.
 */
const hasHalf = (value: unknown): boolean => /\\ud[89a-f]/i.test(JSON.stringify(value));

suite("plugins/conformance, strings beyond U+FFFF", (test) => {
  test("conformance queries and expected answers contain no lone surrogates", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      assert.ok(hasHalf("🦄".slice(0, 1)));
      assert.not.ok(hasHalf(characters));
      let filterCount = 0;
      for (let round = 0; round < rounds({ quick: 20, deep: 400 }); round++) {
        const [subject] = subjectsOf(drawTexts(random));
        for (const operator of operators)
          for (let drawn = 0; drawn < 4; drawn++, filterCount++) {
            const filter = randomFilter(columns[0]!, operator, subject!, random);
            assert.not.ok(hasHalf(filter), JSON.stringify(filter));
          }
        for (const claim of claimsOf(everyCapability)) {
          if (!random.chance(0.2)) continue;
          const query = randomQuery(claim, subject!, random);
          if (!query) continue;
          const answer = answerQuery(query, subject!.table);
          assert.not.ok(hasHalf([query, answer]), JSON.stringify(query));
        }
      }
      assert.ok(filterCount > 1000, `${filterCount} filters`);
    });
  });

  test("the reference implementation and the store order and compare characters beyond U+FFFF in the same way", async () => {
    const random = createRandom();
    const dir = await mkdtemp(join(tmpdir(), "manifold-whole-texts-"));
    const strata = await openStrata({ dir, workers: 1, memoryBytes: 2 ** 26, warmUp: false });
    const call = { credentials: { properties: {} }, signal: new AbortController().signal };
    try {
      await withSeed(random, async () => {
        const texts = drawTexts(random);
        const [subject] = subjectsOf(texts);
        const stored = columns.map(({ id, type }) => ({ id, type }));
        await strata.write!({ ...call, write: { action: "create", id: "texts", columns: stored } });
        const batch = {
          rowCount: texts.length,
          columns: [
            columnOfCells(stored[0]!, [...texts]),
            columnOfCells(
              stored[1]!,
              texts.map((_, at) => at),
            ),
          ],
        };
        const columnIds = stored.map(({ id }) => id);
        await strata.write!({
          ...call,
          write: { action: "append", id: "texts", rows: { columnIds, batch } },
        });
        const checkAnswer = async (query: Query) =>
          assert.equal(
            rowsOfBatch(await strata.query({ ...call, query })),
            answerQuery(query, subject!.table),
            JSON.stringify(query),
          );
        const plain = {
          id: "texts",
          columns: [{ column_id: "text" }],
          options: { pushdown: false },
        };
        for (const order of ["asc", "desc"] as const)
          await checkAnswer({ ...plain, filters: [], order: [{ column: 0, order }] });
        for (let round = 0; round < rounds({ quick: 6, deep: 20 }); round++)
          for (const expression of ["<", "<=", ">", ">=", "=", "!="] as const) {
            const value = [random.chance(0.5) ? random.pick(texts) : drawText(random)];
            const filters = [{ column_id: "text", expression, value }];
            await checkAnswer({ ...plain, filters, order: [{ column: 0, order: "asc" }] });
          }
      });
    } finally {
      await strata.close?.();
      await rm(dir, { recursive: true, force: true });
    }
  });
});

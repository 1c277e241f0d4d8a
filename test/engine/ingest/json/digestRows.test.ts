import { createHash } from "node:crypto";
import * as assert from "uvu/assert";
import { digestRows } from "../../../../engine/ingest/json/digestRows.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

/** The slow counterpart of `digestRows`. */
function plainDigest(text: string, prefix: string): string {
  const hash = createHash("sha256").update(prefix);
  for (const row of JSON.parse(text) as readonly unknown[]) hash.update(`${JSON.stringify(row)}\n`);
  return hash.digest("base64");
}

const digestOf = (text: string, prefix = "") => digestRows(new TextEncoder().encode(text), prefix);

function randomNumber(random: Random): string {
  const digits = (most: number) =>
    Array.from({ length: 1 + random.below(most) }, () => random.pick([0, 0, 1, 5, 9])).join("");
  const whole = random.chance(0.4) ? "0" : `${1 + random.below(9)}${digits(12)}`;
  const fraction = random.chance(0.5) ? `.${digits(12)}` : "";
  const exponent = random.chance(0.1) ? random.pick(["e3", "E-7", "e+21", "e-320", "e0"]) : "";
  return `${random.chance(0.2) ? "-" : ""}${whole}${fraction}${exponent}`;
}

function randomCell(random: Random): string {
  if (random.chance(0.5)) return randomNumber(random);
  return random.pick([
    "null",
    '""',
    '"a],["',
    '"日本😀"',
    '"\u007f\u2028"',
    '"\\""',
    '"\\\\"',
    '"\\u00e4\\/"',
    '"\\ud800"',
    '"\\ud83d\\ude00"',
    '"12"',
  ]);
}

suite("engine/ingest/digestRows", (test) => {
  test("the digest is that of the rows as JSON.stringify writes them, for any notation", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 600, deep: 50_000 }); round++) {
        const isSpaced = random.chance(0.3);
        const space = () =>
          isSpaced && random.chance(0.2) ? random.pick([" ", "\n", "\t\r"]) : "";
        const rows = Array.from({ length: random.below(6) }, () => {
          const cells = Array.from({ length: 1 + random.below(4) }, () => randomCell(random));
          return `${space()}[${cells.map((cell) => space() + cell + space()).join(",")}]${space()}`;
        });
        const text = `${space()}[${rows.join(",")}${space()}]${space()}`;
        assert.is(digestOf(text, "p"), plainDigest(text, "p"), text);
      }
    });
  });

  test("rows, cells and the prefix change the digest", () => {
    const texts = ["[]", "[[1]]", '[["1"]]', "[[1],[1]]", "[[1,1]]", "[[null]]"];
    const digests = texts.map((text) => digestOf(text));
    assert.is(new Set([...digests, digestOf("[]", "p")]).size, texts.length + 1);
  });
});

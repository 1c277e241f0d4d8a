import * as assert from "uvu/assert";
import { exactNumber, parseExactJson } from "../../../plugins/protocol/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

suite("plugins/protocol/parseExactJson", (test) => {
  test("whole numbers beyond 2^53 keep their digits, wherever they are", () => {
    assert.equal(
      parseExactJson(
        '{"a":9007199254740993,"b":[{"c":-1090000000000000001}],"d":1090000000000000001.0}',
      ),
      { a: 9007199254740993n, b: [{ c: -1090000000000000001n }], d: 1090000000000000001n },
    );
    assert.equal(parseExactJson(`[${"9".repeat(401)}]`), ["9".repeat(401)]);
  });

  test("all other values are those of JSON.parse", () => {
    for (const text of [
      '{"a":9007199254740991,"b":"1090000000000000001","c":0.12345678901234567,"d":1e20,"e":null}',
      "[1234567890123456, -0, 1.5e300, 12345678901234567.25]",
      '{"__proto__":{"a":1},"1090000000000000001":true}',
    ])
      assert.equal(parseExactJson(text), JSON.parse(text));
    assert.throws(() => parseExactJson('{"a":90071992547409931090'), SyntaxError);
  });

  test("random documents are parsed as the source of each number says", () => {
    const random = createRandom();
    const digits = () => {
      const text = Array.from({ length: 1 + random.below(24) }, () => random.below(10)).join("");
      return text.replace(/^0+(?=\d)/, "");
    };
    for (let round = 0; round < rounds({ quick: 2000, deep: 100_000 }); round++) {
      const values = Array.from({ length: 1 + random.below(5) }, () => {
        const number = random.pick(["", "-"]) + digits();
        const whole = Number.isSafeInteger(Number(number)) ? Number(number) : BigInt(number);
        return random.pick<readonly [text: string, value: unknown]>([
          [number, whole],
          [`"${number}"`, number],
          [`0.${digits()}7`, undefined],
          [`${number}.5`, Number(`${number}.5`)],
          [`{"${number}":${number}}`, { [number]: whole }],
          [`${number}e2`, Number(`${number}e2`)],
        ]);
      });
      const text = `[${" ".repeat(random.below(20))}${values.map(([each]) => each).join(",")}]`;
      const expected = values.map(([each, value]) => value ?? Number(each));
      assert.equal(parseExactJson(text), expected, text);
    }
  });
});

suite("plugins/protocol/exactNumber", (test) => {
  test("a double represents a whole number if no digit is lost", () => {
    for (const [whole, number] of [
      [9007199254740991n, 9007199254740991],
      [9007199254740992n, 9007199254740992],
      [9007199254740993n, undefined],
      [10n ** 16n, 1e16],
      [-(10n ** 25n), -1e25],
      [10n ** 25n + 1n, undefined],
      // The exact value of 2^60, and the digits that JavaScript writes for it.
      [1152921504606846976n, 2 ** 60],
      [1152921504606847000n, 2 ** 60],
      [1152921504606846999n, undefined],
      [10n ** 400n, undefined],
    ] as const)
      assert.is(exactNumber(whole), number, String(whole));
  });
});

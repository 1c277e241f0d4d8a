import * as assert from "uvu/assert";
import {
  parseParameters,
  presentParameters,
} from "../../../../../core/identity/access/tokens/parameters.ts";
import { refusal } from "../../../../support/refused.ts";
import { suite } from "../../../../support/suite.ts";

const plain = { sticky: false, sensitive: false, clear: false };
const parsed = (override: unknown) => parseParameters({ t: override }).get("t");

suite("core/identity/access/tokens/parameters", (test) => {
  test("every form of a parameter override is parsed", () => {
    const at = "2024-01-31T00:00:00.000Z";
    const forms: readonly (readonly [unknown, unknown])[] = [
      ["t1", { ...plain, value: "t1" }],
      ["", { ...plain, value: "" }],
      [5, { ...plain, value: 5 }],
      [0, { ...plain, value: 0 }],
      [at, { ...plain, value: at }],
      [["t1", "t2", null], { ...plain, value: ["t1", "t2", null] }],
      [[1, 2], { ...plain, value: [1, 2] }],
      [[], { ...plain, value: [] }],
      [{ value: "t1" }, { ...plain, value: "t1" }],
      [{ value: [] }, { ...plain, value: [] }],
      [
        { value: 0, sticky: true },
        { ...plain, value: 0, sticky: true },
      ],
      [
        { value: "t1", sensitive: true },
        { ...plain, value: "t1", sensitive: true },
      ],
      [
        { value: ["t1"], sticky: true, sensitive: true, clear: false },
        { ...plain, value: ["t1"], sticky: true, sensitive: true },
      ],
      [{ clear: true }, { ...plain, clear: true }],
      [
        { clear: true, sticky: true },
        { ...plain, sticky: true, clear: true },
      ],
    ];
    for (const [given, expected] of forms)
      assert.equal(parsed(given), expected, JSON.stringify(given));
  });

  test("the metadata prefix is removed from parameter names, and names such as constructor are accepted", () => {
    const given = JSON.parse(
      '{"metadata.a": 1, "b": 2, "__proto__": 3, "constructor": 4, "metadata.metadata.c": 5}',
    );
    const names = [...parseParameters(given).keys()];
    assert.equal(names, ["a", "b", "__proto__", "constructor", "metadata.c"]);
    assert.is(parseParameters({}).size, 0);
    assert.is(parseParameters(null).get("toString"), undefined);
  });

  test("the error for an invalid parameter override names at most 100 characters of the parameter", async () => {
    const name = "n".repeat(300);
    for (const given of [{ [name]: 1, [`metadata.${name}`]: 2 }, { [name]: { other: 1 } }]) {
      const { message } = await refusal(Promise.try(() => parseParameters(given)));
      assert.match(message, /parameter_overrides\.n{100}(?!n)/);
    }
  });

  test("the error for an invalid parameter override names its path but not its value", async () => {
    const long = Array.from({ length: 100_001 }, () => "canary");
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`p${index}`, 1]));
    const cases: readonly (readonly [unknown, RegExp])[] = [
      ["canary", /^properties\.parameter_overrides is/],
      [["canary"], /^properties\.parameter_overrides is/],
      [many, /at most 500 parameters/],
      [{ t: null }, /parameter_overrides\.t /],
      [{ t: true }, /parameter_overrides\.t /],
      [{ t: Number.NaN }, /parameter_overrides\.t /],
      [{ t: [["canary"]] }, /parameter_overrides\.t /],
      [{ t: [{ canary: 1 }] }, /parameter_overrides\.t /],
      [{ t: [true] }, /parameter_overrides\.t /],
      [{ t: long }, /parameter_overrides\.t .*at most 100000 values/],
      [{ t: {} }, /either a value, or clear: true/],
      [{ t: { clear: false } }, /either a value, or clear: true/],
      [{ t: { value: "canary", clear: true } }, /either a value, or clear: true/],
      [{ t: { value: null } }, /parameter_overrides\.t\.value/],
      [{ t: { value: { canary: "canary" } } }, /parameter_overrides\.t\.value/],
      [{ t: { value: "canary", sticky: "canary" } }, /parameter_overrides\.t\.sticky/],
      [{ t: { value: "canary", sensitive: 1 } }, /parameter_overrides\.t\.sensitive/],
      [{ t: { value: "canary", clear: null, hidden: true } }, /parameter_overrides\.t\.hidden/],
      [{ t: "canary", "metadata.t": "canary" }, /parameter_overrides\.t .*twice/],
    ];
    for (const [given, message] of cases) {
      const refused = await refusal(Promise.try(() => parseParameters(given)));
      assert.is(refused.status, 400);
      assert.match(refused.message, message);
      assert.not.match(JSON.stringify([refused.message, refused]), /canary/);
    }
  });

  test("a response shows all parameter overrides except sensitive values", () => {
    const stored = {
      open: "shown",
      listed: { value: ["shown"], sticky: true },
      secret: { value: "canary", sensitive: true, sticky: true },
      secrets: { value: ["canary", 5], sensitive: true },
      cleared: { clear: true, sensitive: true },
    };
    const shown = presentParameters(stored);
    assert.not.match(JSON.stringify(shown), /canary/);
    assert.equal([shown["open"], shown["listed"]], [stored.open, stored.listed]);
    assert.equal(shown["secret"], { value: null, sensitive: true, sticky: true });
    assert.equal(Object.keys(shown), Object.keys(stored));
  });
});

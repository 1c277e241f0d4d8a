import * as assert from "uvu/assert";
import { createJsonScan, type JsonScan } from "../../../../core/http/middleware/jsonScan.ts";
import { suite } from "../../../support/suite.ts";

const limits = { depth: 64, valueCount: 1000, textBytes: 1000 };

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Returns the number of values at any depth, including lists and objects. */
function countOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const children = Object.values(value);
  const own = 1 + Math.max(0, children.length - 1);
  return children.reduce<number>((count, child) => count + countOf(child), own);
}

/** Returns the number of member names at any depth. */
function namesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((count, child) => count + namesOf(child), own);
}

/** Scans text that arrives in parts of `partBytes`. */
function scanned(text: string, partBytes = Infinity, given = limits): JsonScan {
  const scan = createJsonScan(given);
  const bytes = new TextEncoder().encode(text);
  for (let from = 0; from < bytes.length; from += partBytes)
    scan.scan(bytes.subarray(from, from + partBytes));
  scan.end();
  return scan;
}

function codeOf(run: () => unknown): unknown {
  try {
    run();
    return undefined;
  } catch (thrown) {
    return (thrown as { code?: unknown }).code;
  }
}

suite("core/http/middleware/jsonScan", (test) => {
  const seed = Number(process.env["SEED"] ?? 20261121);
  let state = seed;
  const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const value = (budget: number): unknown => {
    const kind = random();
    if (budget === 0 || kind < 0.3) return pick([7, null, '[{"\\', '"key":"x"', ",,:", ""]);
    const children = Array.from({ length: Math.floor(random() * 3) }, () => value(budget - 1));
    return kind < 0.65
      ? children
      : Object.fromEntries(children.map((child, index) => [pick(["key", `k"]${index}`]), child]));
  };

  test("the scan of a body ignores brackets, commas and names inside strings, even after escapes", () => {
    const scan = scanned('{"a":"[[{{,,\\",","b\\"{":"\\\\","c":{"key":"x"},"key":"y"}');
    assert.equal([...scan.members.keys()], ["a", 'b"{', "c", "key"]);
    assert.is(scan.members.get("key"), "y");
  });

  test("the scan finds the list in properties.data at any part size, unless the member occurs twice", () => {
    const rows = '[["]}","\\"data\\":[",1],[null,"\\\\",{"data":[2]}]]';
    const found = (text: string) =>
      [1, 2, 7, Infinity].map((partBytes) => {
        const range = scanned(text, partBytes).rows;
        return range && text.slice(range.from, range.end);
      });
    const every = (text: string | undefined) => [text, text, text, text];
    for (const before of [
      "",
      '"type":"append",',
      '"options":{"data":[1]},',
      '"x":"data", "y" : [2] ,',
    ])
      for (const name of ["data", "d\\u0061ta"])
        assert.equal(
          found(
            `{"action":"create","properties": {${before}"${name}" : ${rows} ,"z":[]},"data":[3]}`,
          ),
          every(rows),
        );
    for (const body of [
      `{"properties":{"data":${rows},"data":${rows}}}`,
      `{"properties":{"data":1,"data":${rows}}}`,
      `{"properties":{"data":{"data":${rows}}}}`,
      `{"properties":["data",${rows}]}`,
      `{"properties":{"options":{"data":${rows}}}}`,
      `{"other":{"data":${rows}},"properties":{}}`,
      `{"data":${rows}}`,
    ])
      assert.equal(found(body), every(undefined), body);
  });

  test("a scan of parts of any size finds the same members as JSON.parse, and applies its limits exactly", () => {
    for (let round = 0; round < 400; round++) {
      const names = ["key", "token", "action", "find", "__proto__", "\\u006bey"];
      const members = names
        .filter(() => random() < 0.6)
        .toSorted(() => random() - 0.5)
        .map((name) => {
          const content = random() < 0.5 ? pick(["K", 'a"\\ü😀', "", "\u0001"]) : value(5);
          return `"${name}" : ${JSON.stringify(content)}`;
        });
      const text = ` {${members.join(", ")}}`;
      const note = `seed ${seed}, round ${round}: ${text}`;
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const isTwice = text.includes('"key" :') && text.includes('"\\u006bey" :');
      const partBytes = pick([1, 2, 9, 1000]);
      if (isTwice) {
        assert.is(
          codeOf(() => scanned(text, partBytes)),
          "REQUEST_MEMBER_TWICE",
          note,
        );
        continue;
      }
      const { members: found } = scanned(text, partBytes);
      assert.equal([...found.keys()], Object.keys(parsed), note);
      for (const name of ["key", "token", "action"])
        if (name in parsed)
          assert.is(found.get(name), typeof parsed[name] === "string" ? parsed[name] : null, note);
      const depth = depthOf(parsed);
      const valueCount = countOf(parsed);
      const counted = scanned(text, partBytes, { ...limits, depth, valueCount });
      assert.equal([counted.valueCount, counted.nameCount], [valueCount, namesOf(parsed)], note);
      for (const less of [{ depth: depth - 1 }, { valueCount: valueCount - 1 }])
        assert.match(
          String(codeOf(() => scanned(text, partBytes, { ...limits, depth, valueCount, ...less }))),
          /REQUEST_TOO_(DEEP|MANY_VALUES)/,
          note,
        );
    }
  });

  test("a scan applies the limits on strings and members before the string or object ends", () => {
    for (const partBytes of [100, 2000]) {
      const scan = createJsonScan(limits);
      const bytes = new TextEncoder().encode(`{"a":"${"x".repeat(1010)}`);
      const scanAll = () => {
        for (let from = 0; from < bytes.length; from += partBytes)
          scan.scan(bytes.subarray(from, from + partBytes));
      };
      assert.is(codeOf(scanAll), "REQUEST_TEXT_TOO_LONG");
    }
    const wide = { ...limits, textBytes: 1e6 };
    assert.is(
      codeOf(() => scanned(`{"${"n".repeat(1001)}":1}`, 7, wide)),
      "REQUEST_TEXT_TOO_LONG",
    );
    const { members } = scanned(
      `{"key":"${"k".repeat(1001)}","token":"${"t".repeat(1000)}"}`,
      7,
      wide,
    );
    assert.equal([members.get("key"), members.get("token")?.length], [null, 1000]);
    const names = Array.from({ length: 101 }, (_, index) => `"m${index}":1`);
    assert.is(
      codeOf(() => scanned(`{${names}}`)),
      "REQUEST_TOO_MANY_VALUES",
    );
    scanned(`{${names.slice(1)}}`);
  });

  test("a scan detects escapes of NUL and surrogates, even if parts split them, but no other escapes", () => {
    for (const text of ["\\u0000", "\\ud800", "\\uDFff", "\\ud83d\\ude00"])
      for (const partBytes of [1, 3, 100])
        assert.ok(scanned(`{"a":"x${text}y"}`, partBytes).hasRareEscape, `${text} ${partBytes}`);
    for (const text of ["\\\\u0000", "\\u0001", "\\ud7ff", "\\ue000", "\\u00e9", "u0000"])
      assert.not(scanned(`{"a":"x${text}y"}`, 2).hasRareEscape, text);
  });

  test("a scan refuses a body that is not an object", () => {
    for (const text of ["", " \n"])
      assert.is(
        codeOf(() => scanned(text)),
        "REQUEST_NOT_JSON",
      );
    for (const text of ["<html>", "\uFEFF{}", "x"])
      assert.is(
        codeOf(() => scanned(text)),
        "REQUEST_NOT_JSON",
      );
    for (const text of ["[]", " null", "3", '"x"'])
      assert.is(
        codeOf(() => scanned(text)),
        "REQUEST_NOT_AN_OBJECT",
      );
  });

  test("a scan refuses unfinished strings and unbalanced brackets when the body ends", () => {
    for (const text of ["{", '{"[[[[', "{]]]]", "{}}}}{", '{"a":"\\', '{"a":["}'])
      assert.is(
        codeOf(() => scanned(text)),
        "REQUEST_NOT_JSON",
        text,
      );
    for (const text of ["{]", "{,:}", '{"key":"\\x","token":"\\u12xy"}']) scanned(text);
  });
});

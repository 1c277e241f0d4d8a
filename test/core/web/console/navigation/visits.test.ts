import * as assert from "uvu/assert";
import { keepVisit, readVisits } from "../../../../../core/web/console/navigation/index.ts";
import { suite } from "../../../../support/suite.ts";

const id = (digit: number) => `00000000-0000-4000-8000-${String(digit).padStart(12, "0")}`;
const route = (...parts: readonly string[]) => ({
  path: `/${parts.join("/")}`,
  parts,
  query: new URLSearchParams(),
});

suite("core/web/console/navigation/visits", (test) => {
  const stored = new Map<string, string>();
  const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
  test.before(() => {
    const value = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, text: string) => void stored.set(key, text),
    };
    Object.defineProperty(globalThis, "localStorage", { value, configurable: true });
  });
  test.after(() => {
    if (before) Object.defineProperty(globalThis, "localStorage", before);
    else Reflect.deleteProperty(globalThis, "localStorage");
  });
  test.beforeEach(() => stored.clear());

  test("the record that was opened last comes first, and each is listed once", () => {
    keepVisit("ada", route("dashboards", id(1)));
    keepVisit("ada", route("explore", id(2)));
    keepVisit("ada", route("data", id(2), "links"));
    keepVisit("ada", route("dashboards", id(1)));
    assert.equal(
      readVisits("ada").map(({ kind, path }) => [kind, path]),
      [
        ["dashboard", `/dashboards/${id(1)}`],
        ["dataset", `/data/${id(2)}`],
      ],
    );
  });

  test("each user has their own records", () => {
    keepVisit("ada", route("alerts", id(1)));
    assert.equal(readVisits("grace"), []);
  });

  test("lists and other pages are not records", () => {
    for (const parts of [
      [],
      ["dashboards"],
      ["data", "upload"],
      ["access", id(1)],
      ["alerts", "new"],
    ])
      keepVisit("ada", route(...parts));
    assert.equal(readVisits("ada"), []);
  });

  test("at most 30 records are kept", () => {
    for (let each = 0; each < 40; each += 1) keepVisit("ada", route("dashboards", id(each)));
    assert.is(readVisits("ada").length, 30);
    assert.is(readVisits("ada")[0]?.id, id(39));
  });

  test("anything else in the storage is ignored", () => {
    for (const text of ["", "{", "{}", '[1,null,{"kind":"page"}]']) {
      stored.set("manifold-visits ada", text);
      assert.equal(readVisits("ada"), []);
    }
  });
});

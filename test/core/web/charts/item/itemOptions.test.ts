import { isDeepStrictEqual } from "node:util";
import * as assert from "uvu/assert";
import {
  isItemType,
  isObject,
  itemTypes,
  queryOf,
  readItem,
  type ItemType,
  type OptionForm,
} from "../../../../../core/web/charts/index.ts";
import {
  chartExamples,
  type ChartExample,
} from "../../../../documentation/charts/chartExamples.ts";
import { defaultOf, leavesOf } from "../../../../documentation/charts/chartsPage.ts";
import { suite } from "../../../../support/suite.ts";
import { drawSample } from "../drawSample.ts";
import { isInPictures, situationOf } from "./optionSituations.ts";

const types: readonly ItemType[] = Object.keys(itemTypes).filter(isItemType);
const typesByKind = Map.groupBy(types, (type) => itemTypes[type].kind);

/** Returns options in which the member at a path has a value. A path such as `lines[].color` names the first entry. */
function withValue(options: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return value;
  if (name === "[]") {
    const [first, ...others]: readonly unknown[] = Array.isArray(options) ? options : [];
    return [withValue(first, rest, value), ...others];
  }
  const members = isObject(options) ? options : {};
  return { ...members, [name]: withValue(members[name], rest, value) };
}

const partsOf = (path: string) =>
  path.split(".").flatMap((name) => (name.endsWith("[]") ? [name.slice(0, -2), "[]"] : [name]));

/** Returns values that an option accepts, and that should look different from each other. */
function valuesOf(form: OptionForm): readonly unknown[] {
  if ("enum" in form) return form.enum;
  if ("type" in form && form.type === "boolean") return [true, false];
  return [];
}

/** The query that an item sends, and the picture that it draws. */
const seen = (example: ChartExample) => ({
  query: queryOf(readItem(example.stored))?.query,
  // Large enough for a sparse axis to have fewer ticks than a normal one.
  scene: drawSample({ name: "", ...example }, { width: 720, height: 480, theme: "light" }),
});

/** Returns what is wrong with the effect of an option on items of a type; undefined if the option works. */
function faultOf(type: ItemType, path: string, form: OptionForm): string | undefined {
  const { kind } = itemTypes[type];
  const { options = {}, change, values = valuesOf(form), alike } = situationOf(kind, path);
  const { totals: _, ...example } = chartExamples[type];
  const plain: ChartExample = { ...example, stored: { ...example.stored, options: {} } };
  const changed = change ? change(plain) : plain;
  const drawn = (each: object) =>
    seen({ ...changed, stored: { ...changed.stored, options: { ...each } } });
  if (values.length === 0) return "needs values in optionSituations.ts";
  const found = defaultOf(kind, path);
  const usual = alike ?? (found && "value" in found ? [found.value] : []);
  const base = drawn(options);
  const looks: { readonly value: unknown; readonly look: unknown }[] = [];
  for (const value of values) {
    const written = withValue(options, partsOf(path), value);
    if (!isObject(written)) return "is not in an object";
    const look = drawn(written);
    const isUsual = usual.some((each) => isDeepStrictEqual(each, value));
    if (isDeepStrictEqual(look, base)) {
      if (isUsual) continue;
      return `${JSON.stringify(value)} changes nothing`;
    }
    if (isUsual) return `${JSON.stringify(value)} differs from the default`;
    const same = looks.find((each) => isDeepStrictEqual(each.look, look));
    if (same) return `${JSON.stringify(value)} looks like ${JSON.stringify(same.value)}`;
    looks.push({ value, look });
  }
  return looks.length === 0 ? "has no value with an effect" : undefined;
}

suite("core/web/charts/item/itemOptions", (test) => {
  test.deep("each value of every option changes the queries or the picture of an item", () => {
    const faults: string[] = [];
    let count = 0;
    for (const [kind, kindTypes] of typesByKind) {
      const [first] = kindTypes;
      if (first === undefined || kind === "empty") continue;
      for (const { path, form } of leavesOf(first)) {
        if (!isInPictures(kind, path)) continue;
        count++;
        // An option of a kind can be about only one of its types, such as the horizontal axis of lying bars.
        const found = kindTypes.map((type) => faultOf(type, path, form));
        if (found.every((fault) => fault !== undefined))
          faults.push(`${kind} ${path}: ${found[0]}`);
      }
    }
    assert.equal(faults, []);
    assert.ok(count > 150, String(count));
  });
});

import Type from "typebox";
import { itemSchemas } from "../../../core/resources/securables/itemSchemas.ts";
import {
  isItemType,
  type ItemKind,
  itemKinds,
  itemMeanings,
  type ItemType,
  itemTypes,
  type OptionForm,
  optionsOf,
  type SlotMeaning,
  slotsOf,
  undrawnTypes,
} from "../../../core/web/charts/index.ts";
import { wrapProse } from "../../prose/wrapProse.ts";
import { chartExamples, exampleId } from "./chartExamples.ts";
import { fieldOptions } from "./fieldOptions.ts";
import { hasPicture } from "./drawExample.ts";
import { kindDefaults, type OptionDefault, optionDefaults } from "./optionDefaults.ts";

/** A member of an option that has a value instead of further members, such as `sort.direction`. */
export interface OptionLeaf {
  readonly path: string;
  readonly form: OptionForm;
  readonly description: string;
}

const types: readonly ItemType[] = Object.keys(itemTypes).filter(isItemType);

/** The item types of each kind of picture, in the order of the menus. */
const typesByKind = Map.groupBy(types, (type): ItemKind => itemTypes[type].kind);

/** Options that most kinds have. The page describes them once. */
const common = new Set(["title", "display", "limit", "sort"]);

/** Returns the members that have a value instead of further members, for all options of an item type. */
export function leavesOf(type: ItemType): readonly OptionLeaf[] {
  return [...optionsOf(type)].flatMap(([name, { form, description }]) =>
    membersOf({ path: name, form, description }),
  );
}

function membersOf({ path, form, description }: OptionLeaf): readonly OptionLeaf[] {
  if ("properties" in form)
    return Object.entries(form.properties).flatMap(([name, each]) =>
      membersOf({
        path: `${path}.${name}`,
        form: each,
        description: each.description ?? description,
      }),
    );
  if ("items" in form && "properties" in form.items)
    return membersOf({ path: `${path}[]`, form: form.items, description });
  return [{ path, form, description }];
}

/** Returns the default of a member of an option for items of a kind. */
export function defaultOf(kind: ItemKind, path: string): OptionDefault | undefined {
  return kindDefaults[kind]?.[path] ?? optionDefaults[path];
}

/** Describes, in words, the values that a form accepts. */
function valuesOf(form: OptionForm): string {
  if ("enum" in form) return form.enum.map((each) => `\`${each}\``).join(", ");
  if ("anyOf" in form) return "a string, or one per language";
  switch (form.type) {
    case "boolean":
      return "`true`, `false`";
    case "string":
      return "a string";
    case "column":
      return "an entry of a slot";
    case "number":
    case "integer": {
      const word = form.type === "integer" ? "an integer" : "a number";
      return form.minimum === undefined ? word : `${word}, at least ${form.minimum}`;
    }
    case "array":
      return `a list: ${valuesOf(form.items)}`;
    case "object":
      return "values" in form ? `an object: ${valuesOf(form.values)}` : "an object";
    default: {
      const never: never = form;
      return never;
    }
  }
}

function defaultText(found: OptionDefault | undefined): string {
  if (found === undefined) throw new Error("every option must have a row in optionDefaults.ts");
  return "value" in found ? `\`${found.value}\`` : found.phrase;
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const rowOf = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [rowOf(head), `|${"---|".repeat(head.length)}`, ...rows.map(rowOf)].join("\n");

function countText({ least, most }: SlotMeaning): string {
  if (most === undefined) return least === 0 ? "any number" : "1 or more";
  return least === most ? String(most) : `${least} or ${most}`;
}

const sentence = (phrase: string) => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;

function slotRows(kindTypes: readonly ItemType[]): string[][] {
  return kindTypes.flatMap((type) => {
    const meanings: Readonly<Record<string, SlotMeaning>> = itemMeanings[type].slots;
    const { dimensions, measures }: { dimensions: readonly string[]; measures: readonly string[] } =
      itemTypes[type];
    return slotsOf(type).map((slot, index) => {
      const meaning = meanings[slot];
      if (meaning === undefined)
        throw new Error(`the slot ${slot} of ${type} must have a row in itemMeanings.ts`);
      const role = measures.includes(slot)
        ? "measure"
        : dimensions.includes(slot)
          ? type === "regular-table"
            ? "dimension or measure"
            : "dimension"
          : "control";
      return [
        index === 0 ? `\`${type}\`` : "",
        `\`${slot}\``,
        role,
        countText(meaning),
        sentence(meaning.means),
      ];
    });
  });
}

/** Returns the heading of a kind's section. */
const headingOf = (kind: ItemKind) => itemKinds[kind].name;
const linkTo = (kind: ItemKind) =>
  `[${headingOf(kind)}](#${headingOf(kind).toLowerCase().replaceAll(" ", "-")})`;

function optionRows(kind: ItemKind, described: Map<string, ItemKind>): string[][] {
  const [type] = typesByKind.get(kind) ?? [];
  if (type === undefined) return [];
  const leaves = leavesOf(type).filter(({ path }) => !common.has(path.split(/[.[]/)[0] ?? ""));
  const names = [...new Set(leaves.map(({ path }) => path.split(/[.[]/)[0] ?? ""))];
  return names.flatMap((name) => {
    const own = leaves.filter(({ path }) => path.split(/[.[]/)[0] === name);
    // An option with different forms or defaults is described for each kind.
    const key = JSON.stringify(own.map((leaf) => [leaf, defaultOf(kind, leaf.path)]));
    const earlier = described.get(key);
    if (earlier !== undefined && own.length > 1)
      return [[`\`${name}\``, "", "", `As in ${linkTo(earlier)}.`]];
    described.set(key, kind);
    return own.map(({ path, form, description }) => [
      `\`${path}\``,
      valuesOf(form),
      defaultText(defaultOf(kind, path)),
      description,
    ]);
  });
}

/** Returns the rows of the common options, and a sentence for each default that only some kinds have. */
function commonOptions(): { readonly rows: string[][]; readonly exceptions: readonly string[] } {
  const rows = new Map<string, string[]>();
  const kindsByDefault = new Map<string, Map<string, ItemKind[]>>();
  for (const [kind, [type]] of typesByKind) {
    if (type === undefined) continue;
    for (const { path, form, description } of leavesOf(type)) {
      if (!common.has(path.split(".")[0] ?? "")) continue;
      const usual = defaultText(optionDefaults[path]);
      const shown = defaultText(defaultOf(kind, path));
      rows.set(path, [`\`${path}\``, valuesOf(form), usual, description]);
      if (shown === usual) continue;
      const kinds = kindsByDefault.get(path) ?? new Map<string, ItemKind[]>();
      kinds.set(shown, [...(kinds.get(shown) ?? []), kind]);
      kindsByDefault.set(path, kinds);
    }
  }
  const exceptions = [...kindsByDefault].flatMap(([path, byDefault]) =>
    [...byDefault].map(
      ([shown, kinds]) =>
        `- The default of \`${path}\` differs in ${kinds.map(linkTo).join(", ")}: ${shown}.`,
    ),
  );
  return { rows: [...rows.values()], exceptions };
}

/**
 * Maximum length of a line of JSON. Objects and lists that fit are written on one line, which the site shows without
 * scrolling.
 */
const lineLength = 78;

function written(value: unknown, indent = ""): string {
  const isList = Array.isArray(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = (more: string) =>
    isList
      ? value.map((each) => written(each, more))
      : Object.entries(value).map(
          ([name, each]) => `${JSON.stringify(name)}: ${written(each, more)}`,
        );
  const flat = parts("").join(", ");
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (!flat.includes("\n") && indent.length + flat.length < lineLength)
    return isList ? `[${flat}]` : `{ ${flat} }`;
  const more = `${indent}  `;
  return `${open}\n${parts(more)
    .map((each) => `${more}${each}`)
    .join(",\n")}\n${indent}${close}`;
}

function exampleJson(type: ItemType): string {
  const stored: unknown = JSON.parse(
    JSON.stringify(chartExamples[type].stored).replaceAll(exampleId, "…"),
  );
  return written(stored);
}

function sectionOf(kind: ItemKind, described: Map<string, ItemKind>): string {
  const kindTypes = typesByKind.get(kind) ?? [];
  const [first] = kindTypes;
  if (first === undefined) return "";
  const shows = kindTypes.map((type) => {
    const { shows: text, lacks }: { shows: string; lacks?: string } = itemMeanings[type];
    const said = lacks === undefined ? text : `${text} **Limit:** ${lacks}`;
    return `- \`${type}\` (${itemTypes[type].title}): ${said}`;
  });
  const pictures = kindTypes
    .filter(hasPicture)
    .map((type) => `![${itemTypes[type].title}: an example of \`${type}\`](charts/${type}.svg)`);
  const slots = slotRows(kindTypes);
  const options = optionRows(kind, described);
  const named = optionsOf(first);
  const shared = [...common].filter((name) => [...named.keys()].some((each) => each === name));
  return [
    `## ${headingOf(kind)}`,
    shows.join("\n"),
    ...(kind === "filter"
      ? [
          "On a page, readers use the control. Pictures and exports show the chosen values, as in this picture:",
        ]
      : []),
    ...(pictures.length > 0 ? [pictures.join("\n")] : []),
    ...(slots.length > 0
      ? [table(["item type", "slot", "role", "how many", "what it determines"], slots)]
      : ["The item has no slots."]),
    ...(options.length > 0 ? [table(["option", "values", "default", "meaning"], options)] : []),
    `${options.length > 0 ? "Further options" : "Options"}: ${shared.map((name) => `\`${name}\``).join(", ")} ([common options](#common-options)).`,
    `\`\`\`json charts\n${exampleJson(first)}\n\`\`\``,
  ].join("\n\n");
}

/** Returns the members of a slot's content that charts read, and the names of the members that are only stored. */
function contentMembers(): { readonly read: string[][]; readonly stored: readonly string[] } {
  const schema = itemSchemas["SlotContent"];
  if (!Type.IsObject(schema)) throw new Error("SlotContent must be an object");
  const members = Object.entries(schema.properties).map(([name, member]) => ({
    name,
    description: "description" in member ? String(member.description) : "",
  }));
  const isStored = ({ description }: { description: string }) =>
    description.endsWith("but ignored.");
  const isAlias = ({ description }: { description: string }) =>
    /^(Older name|Another spelling) of /.test(description);
  return {
    read: members
      .filter((each) => !isStored(each) && !isAlias(each))
      .map(({ name, description }) => [`\`${name}\``, description]),
    stored: members.filter(isStored).map(({ name }) => `\`${name}\``),
  };
}

/** Returns, for each option of the package, the item types in which it has an effect, and the others. */
function effectRows(): string[][] {
  const states = new Map<string, { readonly read: string[]; readonly ignored: string[] }>();
  for (const type of types) {
    const read = leavesOf(type).map(({ path }) => path.replaceAll("[]", ""));
    for (const path of fieldOptions[type]?.split(" ") ?? []) {
      const state = states.get(path) ?? { read: [], ignored: [] };
      states.set(path, state);
      const hasEffect = read.some(
        (each) => each === path || each.startsWith(`${path}.`) || path.startsWith(`${each}.`),
      );
      (hasEffect ? state.read : state.ignored).push(type);
    }
  }
  const named = (found: readonly string[], others: readonly string[]) =>
    found.length === 0
      ? "none"
      : others.length === 0
        ? "all types with the option"
        : found.map((type) => `\`${type}\``).join(", ");
  return [...states]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, { read, ignored }]) => [
      `\`${path}\``,
      named(read, ignored),
      named(ignored, read),
    ]);
}

/** Returns the text of docs/reference/charts.md, which is generated from the tables of the charts. */
export function chartsPage(): string {
  const described = new Map<string, ItemKind>();
  const content = contentMembers();
  const shared = commonOptions();
  const overview = [...typesByKind].map(([kind, kindTypes]) => [
    linkTo(kind),
    kindTypes.map((type) => `\`${type}\``).join(", "),
  ]);
  const sections = [...typesByKind.keys()].map((kind) => sectionOf(kind, described));
  const undrawn = Object.entries(undrawnTypes).map(([type, { title, slots }]) => [
    `\`${type}\``,
    title,
    slots.map((slot) => `\`${slot}\``).join(", ") || "none",
  ]);
  const page = [
    "# Charts",
    "A dashboard contains items: charts, tables, filters and texts. This page describes every type of item: what it shows, its slots and its options. Manifold drew the pictures on this page with the code that draws dashboards and exports.",
    table(["kind", "item types"], overview),
    "Manifold also stores items of [types that it does not draw](#types-without-a-picture). You can draw further kinds with a script: [custom charts](../CUSTOM_CHARTS.md).",
    "## The members of an item",
    "An item is an object in `contents.views[].items` of a dashboard. The [client](../EMBEDDING.md#one-item-drawn-by-a-program) draws a single item too.",
    table(
      ["member", "meaning"],
      [
        ["`id`", "Unique within its view."],
        ["`type`", "The item type, such as `bar-chart`."],
        [
          "`position`",
          "Place and size in a grid of 48 columns: `col`, `row`, `sizeX`, `sizeY`. A row is 16 pixels high.",
        ],
        ["`slots`", "The columns and formulas that the item shows, by slot."],
        ["`options`", "The look of the item. Every option may be absent."],
      ],
    ),
    "A slot has a `name` and a list `content`. The role of a slot says what its columns do:",
    table(
      ["role", "meaning"],
      [
        [
          "dimension",
          "Groups the rows by a column of any type. Datetimes have a `level`, and numbers can be grouped in `bins`.",
        ],
        [
          "measure",
          "A number per group: a column with an aggregation, or a formula. Non-numeric columns are counted.",
        ],
        ["control", "The column that a control filters."],
      ],
    ),
    "In the tables below, “how many” is the number of columns and formulas that the picture shows. Further columns in the slot are part of the query, but not of the picture.",
    "Each column or formula in a slot is an object with these members:",
    table(["member", "meaning"], content.read),
    `Manifold stores these members, but ignores them: ${content.stored.join(", ")}.`,
    "## Common options",
    "Manifold stores options with other names, and values of the wrong form, but ignores them; `securable validate` names them.",
    table(["option", "values", "default", "meaning"], shared.rows),
    shared.exceptions.join("\n"),
    ...sections,
    "## Options with and without an effect",
    "The package `@luzmo/dashboard-contents-types` 1.0.31 defines the following options for these item types. Manifold stores all of them. `securable validate` names the options of a dashboard that have no effect, with their paths, and the response header `X-Warnings` of `create` and `update` does the same.",
    table(["option", "has an effect in", "has no effect in"], effectRows()),
    "## Types without a picture",
    "Dashboards of other products contain items of the following types. Manifold stores these items, and shows their data as a table with a note that names the type. `securable validate` reports them.",
    table(["item type", "name", "slots"], undrawn),
  ];
  return wrapProse("charts.md", `${page.join("\n\n")}\n`);
}

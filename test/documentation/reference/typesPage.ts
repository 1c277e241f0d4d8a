import { isObject } from "../../../core/base/index.ts";
import { componentSchemas } from "../../../core/http/openapi/componentSchemas.ts";
import { declarations } from "../../../core/resources/index.ts";
import { linkToType } from "./resourcePage.ts";
import { membersOf, typeOf, writeMembers, writeTable } from "./writeTypes.ts";

/** Members that every kind of item has. */
const common = ["id", "position", "content", "query", "slots", "options"];

/** Writes the page of the types that members of several resources have. */
export function writeTypesPage(): string {
  const schemas = Object.entries(componentSchemas(declarations));
  const isItem = ([, schema]: (typeof schemas)[number]) => {
    const { properties } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
    return (
      properties !== undefined &&
      "type" in properties &&
      "slots" in properties &&
      "position" in properties
    );
  };
  const items = schemas.filter(isItem);
  const [sample] = items;
  const others = schemas.filter((each) => !isItem(each));
  const section = ([name, schema]: (typeof schemas)[number]): readonly string[] => {
    const { description } = schema as { readonly description?: string };
    const table = name === "DashboardItem" ? "" : writeMembers(schema, name, linkToType).trim();
    const isUnion = table === "" && name !== "DashboardItem";
    return [
      `## ${name}`,
      ...(description === undefined ? [] : [description]),
      ...(isUnion ? [`${typeOf({ ...schema, description: undefined }, linkToType)}.`] : []),
      ...(table === "" ? [] : [table]),
      ...(name === "DashboardItem" && sample
        ? [
            writeTable(
              ["member", "type", "meaning"],
              membersOf(sample[1], sample[0])
                .filter(({ path }) => common.includes(path))
                .map(({ path, schema: member }) => [
                  `\`${path}\``,
                  path === "options" ? "options of the kind" : typeOf(member, linkToType),
                  member.description ?? "",
                ]),
            ).trim(),
            "The kinds of items. `type` names the kind:",
            writeTable(["type", "what it is", "slots", "options"], items.map(itemRow)).trim(),
          ]
        : []),
    ];
  };
  return [
    "# Types of the API",
    "Types to which the pages of [resources](index.md) refer. Each table lists the members of an object; `a.b` is the member `b` of the object in `a`, and `a[]` an entry of the list in `a`. If a value can have several forms, `in form 1 of 3` marks the members of one form.",
    ...others.flatMap(section),
    "",
  ].join("\n\n");
}

function itemRow([name, schema]: readonly [string, object]): string[] {
  const rows = new Map(membersOf(schema, name).map((row) => [row.path, row.schema]));
  const { description } = schema as { readonly description?: string };
  const options: unknown = rows.get("options");
  const isNamed = isObject<"$ref">(options) && options.$ref !== undefined;
  const slot = rows.get("slots[].name");
  return [
    typeOf(rows.get("type"), linkToType),
    description ?? "",
    slot === undefined ? "" : typeOf(slot, linkToType).replaceAll(" or ", ", "),
    isNamed ? typeOf(options, linkToType) : "",
  ];
}

import { componentSchemas } from "../../../core/http/openapi/componentSchemas.ts";
import { resourceDescription } from "../../../core/http/openapi/resourceDescription.ts";
import { declarations } from "../../../core/resources/index.ts";
import { areas } from "./areas.ts";
import { exampleCallsOf } from "./exampleCalls.ts";
import { findSchema } from "../../../core/http/openapi/recordSchemas.ts";
import { linkToType, rankOf } from "./resourcePage.ts";
import { languages, setUp } from "./writeCall.ts";
import { membersOf, typeOf, writeTable } from "./writeTypes.ts";

/** Writes the first page of the reference. */
export function writeIndexPage(): string {
  const [tag] = [declarations.get("tag")].filter((each) => each !== undefined);
  if (!tag) throw new Error("there is no resource tag");
  const rows = membersOf(findSchema(tag), "find")
    .filter(({ path }) => !path.includes("[]"))
    .map(({ path, schema }) => [
      `\`${path}\``,
      typeOf(schema, linkToType),
      (schema.description ?? "")
        .replace(
          /(Conditions on).*/,
          '$1 members: a value, a list of values, or an operator such as `{"not": null}`.',
        )
        .replace(/ Associations:.*/, ""),
    ]);
  return [
    "# API reference",
    "Every call is a POST to `/0.1.0/<resource>` with a JSON body. `action` says what to do, `key` and `token` [who calls](../TOKENS.md), and the other members depend on the action. `/openapi.json` of a host describes the same calls as OpenAPI 3.1.",
    ...areas.flatMap(({ title, resources }) => [
      `## ${title}`,
      writeTable(
        ["resource", "what it is", "actions"],
        resources.map((resource) => [
          `[${resource}](${resource}.md)`,
          resourceDescription(resource, declarations),
          exampleCallsOf(resource)
            .map(({ action }) => action)
            .toSorted((a, b) => rankOf(a) - rankOf(b))
            .join(", "),
        ]),
      ).trim(),
    ]),
    "## Other pages",
    "| page | contains |\n|---|---|\n| [errors](errors.md) | every error code, its cause and what to do |\n| [charts](charts.md) | the items of dashboards: slots, options and pictures |\n| [types](types.md) | queries, filters, contents of dashboards and other types that several resources use |\n| [paths](paths.md) | signing in, downloads, health, MCP and other paths |\n| [queries](../QUERIES.md), [expressions](../EXPRESSIONS.md) | what a query and an expression mean |\n| [limits](../LIMITS.md) | sizes, rates and quotas |",
    "## Set-up of the examples",
    "Each example is one call in three languages. The examples use these names. TypeScript uses the package `@manifold-analytics/client`; Python uses only its standard library.",
    ...languages.map((language) => `\`\`\`${language} reference\n${setUp[language]}\n\`\`\``),
    "The ids in the examples belong to a small host: a dataset of orders with the columns Region, Amount and Ordered, a dashboard, a group and a plugin. `…` in an answer stands for what it repeats: further entries of a list, or the members of the record that a call did not change.",
    "## Common actions",
    "The actions of records work alike for every resource that has them:",
    writeTable(
      ["action", "members", "answer"],
      [
        [
          "`create`",
          "`properties`; `associations`: a list of `{role, id, properties}`, created in the same transaction",
          "the record, and members that are shown only once",
        ],
        [
          "`get`",
          "`find`, as below",
          "`count`: number of records that match; `rows`: the records that the caller may read",
        ],
        ["`update`", "`id`; `properties`: the members to change", "the record"],
        ["`delete`", "`id`", "`code`: 200"],
        [
          "`associate`",
          "`id`; `resource`: `{role, id}`, the other record; `properties` of the link; `associations` and `dissociations`: further ones, in the same transaction",
          "the record, and `code`",
        ],
        [
          "`dissociate`",
          "`id`; `resource`: `{role, id}`; `dissociations`: further ones, in the same transaction",
          "the record, and `code`",
        ],
        [
          "`validate`",
          "`properties`; `id` to validate an update",
          "`valid`; if it is `false`, `type` and `message` of the error",
        ],
      ],
    ).trim(),
    "`find` selects records and their members:",
    writeTable(["member", "type", "meaning"], rows).trim(),
    "In `include`, name the resource of an association in capitals (`Column`), or write an object:",
    writeTable(
      ["member", "type", "meaning"],
      membersOf(componentSchemas(declarations)["FindInclude"], "FindInclude")
        .filter(({ path }) => !path.includes("["))
        .map(({ path, schema }) => [
          `\`${path}\``,
          typeOf(schema, linkToType),
          schema.description ?? "",
        ]),
    ).trim(),
    "## Rights",
    "The pages say which right on a record, or which role in the organization, an action needs. Each right includes the rights before it: *read* (see the record), *use* (use it in queries and other records), *modify* (change it), *own* (share and delete it). Each role includes the roles before it: member, editor, owner. Flags of links (`flagRead`, `flagUse`, `flagModify`, `flagOwn`) give rights to a user, a group or an integration. The column *embed tokens* says whether [tokens of embedded pages](../TOKENS.md#embed-tokens) may call the action, and with which role; they reach only the records that the token names. A name such as `flag_export` is [a feature](../TOKENS.md#features) that the caller must have.",
    "A record that the caller may not read does not exist for the caller: the error is the same 404 as for an unknown id. [Why](../decisions/rights-on-records.md).",
    "",
  ].join("\n\n");
}

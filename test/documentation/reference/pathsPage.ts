import { describeApi, type Operation } from "./apiDescription.ts";
import { pathExamples, type PathExample } from "./pathExamples.ts";
import { linkToType } from "./resourcePage.ts";
import { languages } from "./writeCall.ts";
import { writeRequest } from "./writeRequest.ts";
import { anchorOf, writeMembers, writeTable } from "./writeTypes.ts";

interface Located {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/**
 * Writes the page of the paths that are not resources. `answerOf` returns the text of the answer to the example below a
 * heading.
 */
export function writePathsPage(answerOf: (heading: string) => string): string {
  const located = Object.entries(describeApi().paths)
    .filter(([path]) => !path.startsWith("/0.1.0/"))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Located => ({
        path,
        method: method.toUpperCase(),
        operation,
      })),
    );
  const withExample = new Map(pathExamples.map((each) => [each.name, each]));
  const isOwnAccount = ({ path }: Located) => path.startsWith("/auth/account/");
  const nameOf = ({ method, path }: Located) => `\`${method} ${path}\``;
  const rows = located
    .filter((each) => !isOwnAccount(each))
    .map((each) => {
      const hasSection = withExample.has(each.operation.operationId);
      const heading = `${each.method} ${each.path}`;
      return [
        hasSection ? `[${nameOf(each)}](#${anchorOf(heading)})` : nameOf(each),
        `${each.operation.summary}.`,
      ];
    });
  const mcp = withExample.get("mcp");
  return [
    "# Paths besides the resources",
    "All other calls go to [resources](index.md). Browsers and monitors use these paths.",
    writeTable(
      ["path", "what it does"],
      [
        ...rows,
        [
          "[`POST /mcp`](#post-mcp)",
          "Offers the tools of [the assistant](../ASSISTANT.md) to agents, over MCP.",
        ],
        ["`/scim/v2/{id}`", "[SCIM 2.0](../SIGN_ON.md) for the directory of a company."],
        ["`GET /openapi.json`", "Returns the description of the API as OpenAPI 3.1."],
        ["`GET /embed.js`", "Returns [the component for pages](../EMBEDDING.md)."],
        ["`GET /metrics`", "Returns [metrics](../OPERATIONS.md#metrics) for Prometheus."],
      ],
    ).trim(),
    ...located.flatMap((each) => {
      const example = withExample.get(each.operation.operationId);
      return example ? section(each, example, answerOf(`${each.method} ${each.path}`)) : [];
    }),
    ...(mcp
      ? [
          "## POST /mcp",
          "Calls a tool of the host over the [Model Context Protocol](../ASSISTANT.md), with the key pair in the header `Authorization`.",
          ...code(mcp, answerOf("POST /mcp")),
        ]
      : []),
    "## The caller's own account",
    "These paths change the sign-in of the user who calls. They accept a session of the console, or `key` and `token` in the body. Most changes need a sign-in within the last ten minutes ([account](../SIGN_ON.md)).",
    writeTable(
      ["path", "what it does", "members"],
      located.filter(isOwnAccount).map((each) => [
        nameOf(each),
        `${each.operation.summary}.`,
        Object.keys(propertiesOf(each.operation))
          .filter((member) => member !== "key" && member !== "token")
          .map((member) => `\`${member}\``)
          .join(", "),
      ]),
    ).trim(),
    "",
  ].join("\n\n");
}

function propertiesOf({ requestBody }: Operation): Readonly<Record<string, unknown>> {
  const { properties = {} } = (requestBody?.content["application/json"]?.schema ?? {}) as {
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  return properties;
}

function section(
  { method, path, operation }: Located,
  example: PathExample,
  answer: string,
): readonly string[] {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const given = requestBody?.content["application/json"]?.schema;
  const answered = responses["200"]?.content?.["application/json"]?.schema;
  const statuses = Object.entries(responses).filter(
    ([status]) => !["200", "default"].includes(status),
  );
  return [
    `## \`${method} ${path}\``,
    `${summary}.`,
    ...(parameters.length > 0
      ? [
          writeTable(
            ["parameter", "in", "meaning"],
            parameters.map(({ name, in: place, description = "" }) => [
              `\`${name}\``,
              place,
              sentenceOf(description),
            ]),
          ).trim(),
        ]
      : []),
    ...(given ? [writeMembers(given, operationId, linkToType).trim()] : []),
    ...(answered ? ["The answer:", writeMembers(answered, operationId, linkToType).trim()] : []),
    ...statuses.map(([status, { description }]) => `Status ${status}: ${sentenceOf(description)}`),
    ...code(example, answer),
  ].filter((text) => text !== "");
}

const sentenceOf = (words: string) =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1).replace(/\.$/, "")}.`;

const code = (example: PathExample, answer: string): readonly string[] => [
  ...languages.map(
    (language) => `\`\`\`${language} reference\n${writeRequest[language](example)}\n\`\`\``,
  ),
  "The host answers:",
  `\`\`\`${example.isText ? "text" : "json"} reference\n${answer}\n\`\`\``,
];

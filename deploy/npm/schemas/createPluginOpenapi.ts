import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PluginErrorCode, pluginErrors } from "../../../plugins/protocol/index.ts";
import { createSchemas, type JsonSchema } from "./createSchemas.ts";
import { commonErrors, type Operation, operations } from "./operations.ts";

const { version, license }: { readonly version: string; readonly license: string } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../plugins/package.json"), "utf8"),
);
const prefix = "#/components/schemas/";
const json = (schema: JsonSchema) => ({ "application/json": { schema } });

/** Headers with which the host identifies the protocol and sends the account's credentials. */
const headers = {
  Protocol: [
    "X-Manifold-Protocol",
    "The version of the protocol, `manifold-1`. A plugin that also serves numbered versions recognizes its host by this header.",
    { type: "string", const: "manifold-1" },
  ],
  Host: [
    "X-Host",
    "Server, address or path of the source. Absent if the account has none.",
    undefined,
  ],
  Key: ["X-Key", "User name or key of the account. Absent if the account has none.", undefined],
  Token: [
    "X-Token",
    "Password or token of the account. Absent if the account has none.",
    undefined,
  ],
} as const;

/**
 * Creates the OpenAPI 3.1 description of the routes that a plugin of the protocol `manifold-1` serves. Its schemas are
 * those of `createSchemas`. The notification that a plugin sends to its host is described as a webhook.
 */
export function createPluginOpenapi(): JsonSchema {
  const { types, messages } = createSchemas(prefix);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { id, method, path, summary, description, request, answer, isRequired } = operation;
    paths[path] = {
      ...paths[path],
      [method]: {
        operationId: id,
        tags: [isRequired ? "required" : "optional"],
        summary,
        description,
        parameters: Object.keys(headers).map((name) => ({
          $ref: `#/components/parameters/${name}`,
        })),
        ...(request && {
          requestBody: {
            description: `The message ${request}.`,
            required: true,
            content: json(messages[request]),
          },
        }),
        responses: {
          200: { description: `The message ${answer}.`, content: json(messages[answer]) },
          ...errorResponses(operation),
        },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Manifold plugin protocol manifold-1",
      version,
      summary: "The routes that a plugin serves to its Manifold host.",
      description:
        "Every route accepts and returns JSON. The host also sends each custom property of the account as a header `X-Property-<id>`, with the id in lower case. Bodies may be up to 64 MiB, and answers may be compressed with gzip, deflate or br. Unknown members of answers are ignored.",
      license: { name: license, identifier: license },
    },
    servers: [{ url: "http://127.0.0.1:7070", description: "A plugin on this machine" }],
    security: [{ secret: [] }],
    tags: [
      { name: "required", description: "Routes that every plugin serves" },
      { name: "optional", description: "Routes that a plugin serves if it needs them" },
    ],
    paths,
    webhooks: { dataChanged: { post: notification(messages) } },
    components: {
      securitySchemes: {
        secret: {
          type: "apiKey",
          in: "header",
          name: "X-Secret",
          description:
            "The secret of the plugin's record. Compare it in constant time, and answer 403 if it is missing or wrong.",
        },
      },
      parameters: Object.fromEntries(
        Object.entries(headers).map(([key, [name, description, schema]]) => [
          key,
          {
            name,
            in: "header",
            required: false,
            description,
            schema: schema ?? { type: "string" },
          },
        ]),
      ),
      schemas: types,
    },
  };
}

/** Describes the errors of an operation, grouped by status. */
function errorResponses({ errors, isRequired }: Operation): Readonly<Record<string, unknown>> {
  const codes = Map.groupBy([...errors, ...commonErrors], (code) => pluginErrors[code][0]);
  const described = [...codes]
    .toSorted(([one], [other]) => one - other)
    .map(([status, group]) => [status, errorResponse(group.map(errorLine).join("; "))] as const);
  return {
    ...Object.fromEntries(described),
    ...(!isRequired && { 404: errorResponse("The plugin does not serve this route.") }),
  };
}

const errorLine = (code: PluginErrorCode): string =>
  `${code}: ${pluginErrors[code][1].replace(/:? ?%s.*$/, "")}`;

const errorResponse = (description: string) => ({
  description,
  content: json({ $ref: `${prefix}ErrorBody` }),
});

function notification(messages: ReturnType<typeof createSchemas>["messages"]): unknown {
  return {
    operationId: "notifyHost",
    tags: ["optional"],
    summary: "Tells the host that the plugin's data changed",
    description:
      "The plugin sends this request to `POST /notify/plugin/<id of its record>` of the host, with its secret in `X-Secret`. The host reloads the accelerated datasets, at most once every ten seconds.",
    requestBody: {
      description: "The message NotifyRequest.",
      required: true,
      content: json(messages.NotifyRequest),
    },
    responses: {
      200: { description: "The message NotifyAnswer.", content: json(messages.NotifyAnswer) },
      401: { description: "The plugin does not exist, or the secret is wrong." },
    },
  };
}

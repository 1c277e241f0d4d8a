import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { createPluginOpenapi, type JsonSchema } from "../../deploy/npm/schemas/index.ts";
import type { Exchange } from "./recordingProxy.ts";

/**
 * Checks exchanges with a plugin against the generated OpenAPI description. Uses a validator that the product does not
 * use.
 */
export interface PluginMessages {
  /**
   * Describes what is wrong with an exchange. A route, status or member that the description does not contain is also
   * wrong. Undefined if nothing is wrong.
   */
  faultOf(exchange: Exchange): string | undefined;
}

/**
 * Creates a check of exchanges. The check also reports members that the description does not contain, although a plugin
 * may send such members.
 */
export function createPluginMessages(): PluginMessages {
  const document = closed(createPluginOpenapi()) as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  ajv.addSchema(document, "openapi");
  const wrong = (pointer: string, value: unknown): string | undefined => {
    const validate = ajv.getSchema(`openapi#${pointer}`);
    if (!validate) throw new Error(`the description has no schema at ${pointer}`);
    return validate(value) ? undefined : wordsOf(validate.errors ?? []);
  };
  return {
    faultOf({ method, path, body, status, answer }) {
      const name = `${method} ${path}`;
      const operation = document.paths[path]?.[method.toLowerCase()];
      if (!operation) return status === 404 ? undefined : `${name} is not described`;
      const at = `/paths/${path.replaceAll("/", "~1")}/${method.toLowerCase()}`;
      const content = "content/application~1json/schema";
      // Status 400 means that the caller broke the protocol, so its body need not match the description.
      if (operation.requestBody && status !== 400) {
        const fault = wrong(`${at}/requestBody/${content}`, body);
        if (fault !== undefined) return `the request ${name}: ${fault}`;
      }
      if (!operation.responses[status]) return `the status ${status} of ${name} is not described`;
      const fault = wrong(`${at}/responses/${status}/${content}`, answer);
      return fault === undefined ? undefined : `the answer ${status} of ${name}: ${fault}`;
    },
  };
}

interface Document extends JsonSchema {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly requestBody?: unknown;
            readonly responses: Readonly<Record<number, unknown>>;
          }
        >
      >
    >
  >;
}

/** Returns a copy of a schema whose objects accept only the members that they describe. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]));
  const isObject = "type" in value && value.type === "object" && "properties" in value;
  return isObject ? { ...copy, additionalProperties: false } : copy;
}

const wordsOf = (errors: readonly ErrorObject[]): string =>
  errors
    .map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
    .join("; ");

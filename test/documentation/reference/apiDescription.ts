import type { Action } from "../../../core/base/index.ts";
import { createOpenapi } from "../../../core/http/openapi/index.ts";
import { describedActions } from "../../../core/http/openapi/operationOf.ts";
import { declarations } from "../../../core/resources/index.ts";
import { hostUrl } from "./exampleIds.ts";

/** An operation of the API description. */
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly content?: Readonly<Record<string, { readonly schema: object }>>;
      }
    >
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Returns the API description of a host. */
export function describeApi(): Document {
  const handlers = new Map(
    [...describedActions(declarations)].map(([resource, actions]) => [
      resource,
      Object.fromEntries(actions.map((action: Action) => [action, () => Promise.resolve({})])),
    ]),
  );
  const document = createOpenapi({ handlers, declarations, url: hostUrl });
  return JSON.parse(JSON.stringify(document)) as Document;
}

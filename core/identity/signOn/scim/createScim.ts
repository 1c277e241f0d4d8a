import { timingSafeEqual } from "node:crypto";
import { hashToken } from "../../access/index.ts";
import type { NoteRefusal, ReadAudit } from "../../../catalog/index.ts";
import { ApiError, isObject, type Records } from "../../../base/index.ts";
import { findProvider } from "../findProvider.ts";
import { actorOf, type ScimAnswer, type ScimCall, type ScimRequest } from "./scimCall.ts";

/** The users and groups managed through an ssoconfig. The ssoconfig's SCIM token gives access to them. */
export interface ScimScope {
  readonly configId: string;
  readonly organizationId: string;
}

/** Lets identity providers manage the users and groups of organizations. */
export interface Scim {
  /**
   * Opens the users and groups of an ssoconfig.
   * @throws {ApiError} UNAUTHORIZED if the token is wrong or missing
   */
  open(configId: string, token: string | undefined, address: string): Promise<ScimScope>;
  /** Answers a call. Errors are returned as SCIM responses. */
  answer(scope: ScimScope, request: ScimRequest): Promise<ScimAnswer>;
}

export interface ScimOptions {
  readonly records: Records;
  /** Makes the next call read the catalog, because rights of users were changed on this host. */
  forget(): void;
  readonly publicUrl: () => string;
  /** Called for each refused token. */
  readonly noteRefusal?: NoteRefusal;
  /** Records who reads which records. Without it, reads are not audited. */
  readonly auditRead?: ReadAudit | undefined;
}

const oneWriter = "select pg_advisory_xact_lock(hashtextextended(?, 0))";
const noHash = Buffer.alloc(32);

const loadTypes = async () => (await import("./resourceTypes.ts")).answerTyped;

/** Creates the provisioning of users and groups. Each call is one transaction. */
export function createScim(options: ScimOptions): Scim {
  const { records, forget, publicUrl, noteRefusal, auditRead } = options;
  return {
    async open(configId, token = "", address) {
      const found = await findProvider(records, configId);
      const expected = found?.provider.scimToken;
      const isEqual = timingSafeEqual(
        expected === undefined ? noHash : hashToken(expected),
        hashToken(token),
      );
      if (!found || expected === undefined || !isEqual) {
        const organizationId = found?.row.organization_id;
        const code = "UNAUTHORIZED";
        noteRefusal?.({ way: "scim", code, recordId: configId, organizationId, address });
        throw new ApiError(code);
      }
      return { configId: found.row.id, organizationId: found.row.organization_id };
    },
    async answer(scope, request) {
      // The ssoconfig may have been disabled while the host received the body.
      const found = await findProvider(records, scope.configId);
      if (!found) throw new ApiError("UNAUTHORIZED");
      const read = request.method === "GET" ? readOf(request, scope) : undefined;
      if (read) await auditRead?.(read, request.address);
      const answerTyped = await loadTypes();
      const base = `${publicUrl().replace(/\/+$/, "")}/scim/v2/${scope.configId}`;
      try {
        const answer = await records.transaction(async (transaction) => {
          const { provider } = found;
          const { method, requestId, address } = request;
          // Calls are serialized: a patch reads, changes and writes, so concurrent patches would overwrite each other.
          if (method !== "GET") await transaction.raw(oneWriter, [`scim ${scope.configId}`]);
          const call: ScimCall = {
            records,
            transaction,
            method,
            requestId,
            address,
            provider,
            ...scope,
          };
          const result = await answerTyped(request, call);
          // The library reports every failure as a missing record, so throw the failure to roll the transaction back.
          if (call.failure !== undefined) throw call.failure;
          if (result.status >= 400) throw new Refused(result);
          return result;
        });
        return { ...answer, body: withLocations(answer.body, base) };
      } catch (failure) {
        if (failure instanceof Refused) return failure.answer;
        throw failure;
      } finally {
        if (request.method !== "GET") forget();
      }
    },
  };
}

/** Returns what a call reads, for the audit; undefined for descriptions of the service. */
function readOf({ kind, id, requestId, address }: ScimRequest, scope: ScimScope) {
  const resource = kind === "Users" ? "user" : kind === "Groups" ? "group" : undefined;
  if (resource === undefined) return undefined;
  const { principal } = actorOf({ ...scope, requestId, address });
  return { resource, action: "get", body: { id }, principal, requestId } as const;
}

/** Wraps an error response, so that throwing it rolls the transaction back. */
class Refused extends Error {
  readonly answer: ScimAnswer;
  constructor(answer: ScimAnswer) {
    super("refused");
    this.answer = answer;
  }
}

/** Adds to each resource in a response the URL of the resource. */
function withLocations(body: unknown, base: string): unknown {
  if (!isObject(body)) return body;
  const { Resources: resources, id, meta } = body;
  if (Array.isArray(resources))
    return { ...body, Resources: resources.map((each) => withLocations(each, base)) };
  if (typeof id !== "string" || !isObject<"resourceType">(meta)) return body;
  const kind = `${String(meta.resourceType)}s`;
  return { ...body, meta: { ...meta, location: `${base}/${kind}/${id}` } };
}

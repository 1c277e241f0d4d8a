import SCIMMY from "scimmy";
import { isObject, isUuid } from "../../../base/index.ts";
import { standardBody } from "./standardBody.ts";
import { standardOperations } from "./standardOperations.ts";
import { readGroups, removeGroup, writeGroup } from "./groups.ts";
import type { ScimAnswer, ScimCall, ScimRequest } from "./scimCall.ts";
import { readUsers, removeUser, writeUser } from "./users.ts";

/**
 * Stores in the call a failure that is not a SCIM response, because the library would report the failure as a missing
 * record.
 */
async function kept<Result>(call: ScimCall, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (failure) {
    if (!(failure instanceof SCIMMY.Types.Error)) call.failure ??= failure;
    throw failure;
  }
}

/** Returns a resource of the library as a plain JSON object. */
function plain(resource: object): Readonly<Record<string, unknown>> {
  const read: unknown = JSON.parse(JSON.stringify(resource));
  return isObject(read) ? read : {};
}

/** Returns the value of `member eq "value"`; undefined for any other filter. */
function equalTo(filter: unknown, member: string): string | undefined {
  const [only, ...others] = Array.isArray(filter) ? filter : [];
  if (!isObject(only) || others.length > 0 || Object.keys(only).length !== 1) return undefined;
  const test = only[member];
  return Array.isArray(test) && test[0] === "eq" && typeof test[1] === "string"
    ? test[1]
    : undefined;
}

SCIMMY.Resources.declare(SCIMMY.Resources.User)
  .ingress((resource, user, call: ScimCall) =>
    kept(call, () => writeUser(call, resource.id, plain(user))),
  )
  .egress(async (resource, call: ScimCall) =>
    kept(call, async () => {
      const { id, filter } = resource;
      if (id !== undefined) {
        const [found] = isUuid(id) ? await readUsers(call, { id }) : [];
        if (!found) throw new SCIMMY.Types.Error(404, "", `Resource ${id} not found`);
        return found;
      }
      const userName = equalTo(filter, "userName");
      const externalId = equalTo(filter, "externalId");
      const rows = await readUsers(call, {
        ...(userName !== undefined && { userName }),
        ...(externalId !== undefined && { externalId }),
      });
      const isFound = userName !== undefined || externalId !== undefined;
      return filter && !isFound ? filter.match([...rows]) : [...rows];
    }),
  )
  .degress((resource, call: ScimCall) =>
    kept(call, () => removeUser(call, isUuid(resource.id) ? resource.id : nothing)),
  );

// Providers send departments and managers in many forms, so these attributes are not checked. Nothing here depends on
// them.
SCIMMY.Resources.User.extend(SCIMMY.Schemas.EnterpriseUser, false);

const nothing = "00000000-0000-0000-0000-000000000000";

SCIMMY.Resources.declare(SCIMMY.Resources.Group)
  .ingress((resource, group, call: ScimCall) =>
    kept(call, () => writeGroup(call, resource.id, plain(group))),
  )
  .egress(async (resource, call: ScimCall) =>
    kept(call, async () => {
      const rows = await readGroups(call, resource.id);
      if (resource.id === undefined)
        return resource.filter ? resource.filter.match([...rows]) : [...rows];
      const [found] = rows;
      if (!found) throw new SCIMMY.Types.Error(404, "", `Resource ${resource.id} not found`);
      return found;
    }),
  )
  .degress((resource, call: ScimCall) => kept(call, () => removeGroup(call, resource.id ?? "")));

SCIMMY.Config.set({
  patch: true,
  filter: { supported: true, maxResults: 10_000 },
  sort: true,
  changePassword: false,
  etag: false,
  bulk: false,
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "Bearer token",
      description: "the member scim_token in the config of the ssoconfig",
    },
  ],
});

/** Answers a call with the library, which implements the protocol's filters, patches, attributes and pages. */
export async function answerTyped(request: ScimRequest, call: ScimCall): Promise<ScimAnswer> {
  try {
    return await dispatch(request, call);
  } catch (failure) {
    if (!(failure instanceof SCIMMY.Types.Error)) throw failure;
    const body: unknown = JSON.parse(JSON.stringify(new SCIMMY.Messages.Error(failure)));
    return { status: Number(failure.status), body };
  }
}

async function dispatch(
  { method, kind, id, query, body }: ScimRequest,
  call: ScimCall,
): Promise<ScimAnswer> {
  const answer = (status: number, found: unknown): ScimAnswer => ({
    status,
    body: found === undefined ? undefined : JSON.parse(JSON.stringify(found)),
  });
  const description = describe(kind, id);
  if (description !== undefined && method === "GET") return answer(200, await description.read());
  if (kind !== "Users" && kind !== "Groups")
    throw new SCIMMY.Types.Error(404, "", `${kind.slice(0, 100)} is not a path of this API`);
  const { User, Group } = SCIMMY.Resources;
  const requested = viewOf(query);
  const resource = kind === "Users" ? new User(id, requested) : new Group(id, requested);
  if (method === "GET") return answer(200, await resource.read(call));
  if (method === "POST" && id === undefined)
    return answer(201, await resource.write(given(body), call));
  if (method === "PUT" && id !== undefined)
    return answer(200, await resource.write(given(body), call));
  if (method === "PATCH" && id !== undefined) {
    // Only users are read here, because operations on a group contain all members that they need.
    const [stored] = kind === "Users" && isUuid(id) ? await readUsers(call, { id }) : [];
    const changed = await resource.patch(patchIn(body, stored), call);
    return answer(200, changed ?? (await resource.read(call)));
  }
  if (method === "DELETE" && id !== undefined) {
    await resource.dispose(call);
    return { status: 204, body: undefined };
  }
  throw new SCIMMY.Types.Error(404, "", `${method} is not supported here`);
}

function describe(kind: string, id: string | undefined) {
  const { ServiceProviderConfig, ResourceType, Schema } = SCIMMY.Resources;
  if (kind === "ServiceProviderConfig") return new ServiceProviderConfig();
  if (kind === "ResourceTypes") return new ResourceType(id);
  if (kind === "Schemas") return new Schema(id);
  return undefined;
}

/** Returns the filter, attributes, order and page of a query. All values are strings, because they come from a URL. */
function viewOf(query: ScimRequest["query"]) {
  const text = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? { [name]: value } : {};
  };
  const number = (name: string) => {
    const value = query[name];
    return typeof value === "string" ? { [name]: Number(value) } : {};
  };
  return {
    ...text("filter"),
    ...text("attributes"),
    ...text("excludedAttributes"),
    ...text("sortBy"),
    ...text("sortOrder"),
    ...number("startIndex"),
    ...number("count"),
  };
}

function given(body: unknown): Readonly<Record<string, unknown>> {
  const standard = standardBody(body);
  if (isObject(standard)) return standard;
  throw new SCIMMY.Types.Error(400, "invalidSyntax", "the body must be a JSON object");
}

type Operations = ConstructorParameters<typeof SCIMMY.Messages.PatchOp>[0] extends
  | { Operations: infer Each }
  | undefined
  ? Each
  : never;

/** Returns whether a value is a list. The library checks each operation in the list. */
const isOperations = (value: unknown): value is Operations => Array.isArray(value);

function patchIn(body: unknown, stored: Readonly<Record<string, unknown>> | undefined) {
  const { schemas, Operations: given } = isObject(body) ? body : {};
  const Operations: unknown = Array.isArray(given) ? standardOperations(given, stored) : undefined;
  const { id } = SCIMMY.Messages.PatchOp;
  if (
    !Array.isArray(schemas) ||
    schemas.length !== 1 ||
    schemas[0] !== id ||
    !isOperations(Operations)
  )
    throw new SCIMMY.Types.Error(
      400,
      "invalidSyntax",
      `send schemas: ["${id}"] and a list of Operations`,
    );
  return { schemas: [id], Operations };
}

import type { Knex } from "knex";
import {
  anonymous,
  type ApiCall,
  ApiError,
  type Handler,
  type Principal,
  type Records,
} from "../../base/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import { accept } from "../kernel/index.ts";
import { organizationUser } from "../rights/links.ts";
import { user } from "./user.ts";
import { createLoginPair, storeLoginPair, storePassword } from "../../identity/index.ts";

/** The members that a person who signs up may set. Members that only owners can set are not included. */
const members = [
  "email",
  "name",
  "city",
  "phone",
  "company",
  "role",
  "theme",
  "locale",
  "locale_id",
  "timezone_id",
  "country_id",
  "custom_metadata",
] as const;

const acceptUser = (properties: unknown) => accept(user, "create", properties);

/**
 * Wraps the create action of users so that people without credentials can sign up. Each of them becomes the owner of a
 * new organization.
 */
export function signUp({
  records,
  create,
}: {
  readonly records: Records;
  /** The create action for callers with credentials. */
  readonly create: Handler;
}): Handler {
  return async (call) => {
    if (call.principal !== anonymous) return create(call);
    const accepted = acceptUser(call.body.properties);
    const other = Object.entries(accepted).find(
      ([member, value]) =>
        member !== "password" && !members.some((each) => each === member) && isGiven(value),
    )?.[0];
    if (other !== undefined)
      throw new ApiError("MEMBER_INVALID", [
        `properties.${other}`,
        "only owners can set it, for other users; omit it at sign-up",
      ]);
    const { country_id } = accepted;
    if (country_id && (await records.find("country", { id: country_id })).length === 0)
      throw new ApiError("RECORD_NOT_FOUND", ["country", country_id]);
    return records.transaction((transaction) => found(accepted, call, records, transaction));
  };
}

function isGiven(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Creates an organization and its owner. */
async function found(
  accepted: ReturnType<typeof acceptUser>,
  { requestId, address }: ApiCall,
  records: Records,
  transaction: Knex.Transaction,
): Promise<Record<string, unknown>> {
  const { company, name, email, password } = accepted;
  const called = String(company ?? name ?? email);
  const organization = await records.insert(
    "organization",
    { name: { en: called }, signed_up: true },
    transaction,
  );
  const given = members.filter((member) => Object.hasOwn(accepted, member));
  const values = Object.fromEntries(given.map((member) => [member, accepted[member]]));
  const person = await records.insert("user", values, transaction);
  await transaction(organizationUser.table).insert({
    organization_id: organization.id,
    user_id: person.id,
    ...Object.fromEntries((organizationUser.flags ?? []).map((flag) => [flag, true])),
  });
  const pair = createLoginPair();
  await storeLoginPair(pair, person.id, records, transaction);
  const own = { id: person.id, email: String(email), name: String(name ?? "") };
  if (typeof password === "string") await storePassword(own, password, pair.key, transaction);
  const principal: Principal = {
    authorizationId: pair.key,
    authorizationType: "login",
    userId: person.id,
    organizationId: organization.id,
    organizationRole: "owner",
    name: String(name ?? ""),
    email: own.email,
  };
  const actor = { principal, requestId, address };
  for (const [resource, recordId] of [
    ["organization", organization.id],
    ["user", person.id],
  ] as const)
    await writeAudit(records, actor, { action: "create", resource, recordId }, transaction);
  return { ...records.present("user", person), ...pair };
}

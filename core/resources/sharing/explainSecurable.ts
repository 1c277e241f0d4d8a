import type { Knex } from "knex";
import {
  type ApiCall,
  ApiError,
  asMap,
  type Handler,
  isObject,
  type Principal,
  type Records,
  type ResourceRow,
} from "../../base/index.ts";
import { invalid } from "../../identity/index.ts";
import { rightsOf } from "../rights/rightsOf.ts";
import { datasetsOf } from "../securables/contents.ts";
import { type Candidate, findCandidates } from "./findCandidates.ts";
import { type Holder, holdersOf } from "./holdersOf.ts";
import { type SeeAsOptions, seeAs } from "./seeAs.ts";
import { usersInReach } from "./usersInReach.ts";

export interface ExplainSecurableOptions extends SeeAsOptions {
  readonly records: Records;
  readonly knex: Knex;
}

type Securable = ResourceRow<"securable">;

/**
 * Creates the action `explain` of `securable`. It returns the caller's right on a dataset or dashboard. To owners of
 * the record it also returns with whom the record is shared, and the same for each dataset behind a dashboard: row
 * filters only if the caller owns the dataset. `options.candidates` finds people and groups with whom the caller may
 * share. `options.see_as` names a user or a group. Owners of the organization then get a key pair that sees what this
 * user or group sees of the record, for 15 minutes.
 * @throws {ApiError} RECORD_NOT_FOUND, FORBIDDEN, MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function explainSecurable(options: ExplainSecurableOptions): Handler {
  const { records, knex } = options;
  return async (call) => {
    const { principal } = call;
    const { candidates, see_as: seen } = readOptions(call.body);
    const id = String(call.body.id).toLowerCase();
    const right = (await rightsOf([id], principal, records)).get(id);
    const [row] = right ? await records.find("securable", { id }) : [];
    if (!row || !right)
      throw new ApiError("RECORD_NOT_FOUND", ["securable", String(call.body.id).slice(0, 100)]);
    const own = { id, type: row.type, name: row.name, right };
    if (right !== "own") {
      if (candidates !== undefined || seen !== undefined)
        throw new ApiError("FORBIDDEN", ["own this securable"]);
      return own;
    }
    const datasets = await datasetsBehind(row, principal, records);
    const owned = datasets.rows.filter((each) => each.right === "own").map((each) => each.id);
    const holders = await presentable(await holdersOf([id, ...owned], knex), principal, knex);
    const found =
      candidates === undefined ? undefined : await findCandidates(candidates, principal, knex);
    const of = (securableId: string) =>
      holders.filter((each) => each.securable_id === securableId).map(presentHolder);
    return {
      ...own,
      owner: await ownerOf(row, principal, knex),
      holders: of(id),
      memberships: await membershipsOf(holders, found ?? [], knex),
      datasets: datasets.rows.map((each) => ({
        ...each,
        ...(each.right === "own" && { holders: of(each.id) }),
      })),
      unseen_dataset_count: datasets.unseenCount,
      ...(found && { candidates: found }),
      ...(seen && { seen_as: await seeAs(row, datasets.rows, seen, call, options) }),
    };
  };
}

/** Returns the datasets behind a dashboard that the caller can see, and the number of others. */
async function datasetsBehind(row: Securable, principal: Principal, records: Records) {
  const ids = row.type === "dashboard" ? datasetsOf(row.contents) : [];
  const seen = await rightsOf(ids, principal, records);
  const found = await records.find("securable", { id: [...seen.keys()], type: "dataset" });
  const rows = found.map(({ id, name }) => ({ id, name, right: seen.get(id) ?? "read" }));
  return { rows, unseenCount: ids.length - rows.length };
}

/** Replaces the names of users of other suborganizations, whom the caller may not see, with null. */
async function presentable(
  holders: readonly Holder[],
  principal: Principal,
  knex: Knex,
): Promise<readonly Holder[]> {
  const users = holders.flatMap(({ kind, id }) => (kind === "user" ? id : []));
  const seen = await usersInReach(users, principal, knex);
  return holders.map((each) =>
    each.kind !== "user" || seen.has(each.id) ? each : { ...each, name: null, email: null },
  );
}

/** Returns a share without the record, which contains it in the answer. */
const presentHolder = ({ kind, id, name, email, is_public, right, filters }: Holder) => ({
  kind,
  id,
  name,
  email,
  is_public,
  right,
  filters,
});

/**
 * Returns, for each user among holders and candidates, the groups and integrations with shares that contain the user.
 */
async function membershipsOf(
  holders: readonly Holder[],
  candidates: readonly Candidate[],
  knex: Knex,
): Promise<readonly { readonly user_id: string; readonly id: string }[]> {
  const idsOf = (kind: Holder["kind"]) => [
    ...new Set([...holders, ...candidates].flatMap((each) => (each.kind === kind ? each.id : []))),
  ];
  const { rows } = await knex.raw(
    `select user_id, group_id as id from membership where user_id = any(?::uuid[]) and group_id = any(?::uuid[])
     union
     select user_id, integration_id from integration_membership
      where user_id = any(?::uuid[]) and integration_id = any(?::uuid[])`,
    [idsOf("user"), idsOf("group"), idsOf("user"), idsOf("integration")],
  );
  return rows;
}

/** Returns the owner of a record; null for an owner whom the caller may not see. */
async function ownerOf({ owner_id: id }: Securable, principal: Principal, knex: Knex) {
  const seen = await usersInReach([id], principal, knex);
  const owner = seen.get(id);
  return owner ? { id, name: owner.name || owner.email, email: owner.email } : null;
}

function readOptions(body: ApiCall["body"]) {
  const given = asMap(body.options ?? {});
  if (!isObject<"candidates" | "see_as">(given)) throw invalid("options", "must be an object");
  const { candidates, see_as: seen, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`options.${unknown}`, "candidates, see_as"]);
  if (candidates !== undefined && (typeof candidates !== "string" || candidates.length > 200))
    throw invalid("options.candidates", "must be a string of at most 200 characters");
  if (seen === undefined) return { candidates, see_as: undefined };
  if (!isObject<"role" | "id">(seen) || typeof seen.id !== "string")
    throw invalid("options.see_as", "must have the members role and id");
  if (seen.role !== "Users" && seen.role !== "Groups")
    throw invalid("options.see_as.role", "must be Users or Groups");
  return { candidates, see_as: { role: seen.role, id: seen.id.toLowerCase() } as const };
}

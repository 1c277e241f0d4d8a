import type { Knex } from "knex";
import { type ApiCall, ApiError, type Handler, isObject, isUuid, readPage } from "../base/index.ts";
import type { Queue } from "./queue/openQueue.ts";

export interface QueueHandlersOptions {
  readonly knex: Knex;
  readonly queue: Pick<Queue, "retry" | "cancel">;
}

interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly retry_count: number;
  readonly created_on: Date;
  readonly start_after: Date;
  readonly started_on: Date | null;
  readonly completed_on: Date | null;
  readonly problem: string | null;
  readonly alert_id: string | null;
  readonly slot_ms: string | null;
  readonly delivery_id: string | null;
  readonly securable_id: string | null;
  readonly copied_rows: number | null;
  readonly progress: number | null;
}

/** Job states in the API, and the queue states that each one covers. */
const states = new Map<string, readonly string[]>([
  ["waiting", ["created", "retry"]],
  ["running", ["active"]],
  ["completed", ["completed"]],
  ["failed", ["failed"]],
  ["cancelled", ["cancelled"]],
]);

const mostRows = 1_000;

/** Lists jobs by organization. A job belongs to the organization of the user for whom it runs. */
const statement = `
  select j.id, j.name, j.state::text, j.retry_count, j.created_on, j.start_after, j.started_on, j.completed_on,
         j.output ->> 'message' as problem, j.data ->> 'alertId' as alert_id, j.data ->> 'slotMs' as slot_ms,
         j.data ->> 'deliveryId' as delivery_id, j.data ->> 'securableId' as securable_id, c.copied_rows, c.progress
    from jobs.job j
    left join datasetcopy c on j.name = 'acceleration' and j.state = 'active' and c.building_id is not null
                           and c.securable_id = (j.data ->> 'securableId')::uuid
    join lateral (
      select a.user_id from alert a where a.id = (j.data ->> 'alertId')::uuid
      union all
      select coalesce(c.user_id, d.user_id) from delivery d left join channel c on c.id = d.channel_id
       where d.id = (j.data ->> 'deliveryId')::uuid
      union all
      select p.user_id from plugin p where p.id = (j.data ->> 'pluginId')::uuid
      union all
      select s.owner_id from securable s where s.id = (j.data ->> 'securableId')::uuid
    ) u on true
    join organization_user o on o.user_id = u.user_id
   where o.organization_id = :organization
     and j.state::text = any(:states::text[])
     and (:name::text is null or j.name = :name)
     and (:id::uuid is null or j.id = :id)
   order by j.created_on desc, j.id
   limit :limit offset :offset`;

/**
 * Creates the handlers of the resource `job`. `get` lists the jobs of the caller's organization, newest first. Updating
 * the state to `waiting` runs a failed or cancelled job again; updating it to `cancelled` cancels a waiting or running
 * job. A running load stops within seconds; other running jobs finish, but are not repeated. Only owners of an
 * organization may call the handlers. Jobs of other organizations return the error of a missing record.
 */
export function queueHandlers({ knex, queue }: QueueHandlersOptions): {
  readonly get: Handler;
  readonly update: Handler;
} {
  const find = async (call: ApiCall, find: Find): Promise<readonly JobRow[]> => {
    const { organizationId, organizationRole } = call.principal;
    if (organizationRole !== "owner")
      throw new ApiError("FORBIDDEN", [
        "see the jobs of the organization; only owners have this right, so ask one of them",
      ]);
    const { rows } = await knex.raw<{ rows: readonly JobRow[] }>(statement, {
      organization: organizationId,
      states: find.states.flatMap((state) => states.get(state) ?? []),
      name: find.name ?? null,
      id: find.id ?? null,
      limit: find.limit,
      offset: find.offset,
    });
    return rows;
  };
  return {
    async get(call) {
      const rows = (await find(call, readFind(call.body.find))).map(presentJob);
      return { count: rows.length, rows };
    },
    async update(call) {
      const id = call.body.id;
      const state = readState(call.body.properties);
      const all = { states: [...states.keys()], limit: 1, offset: 0 };
      const of = async () => (isUuid(id) ? await find(call, { ...all, id }) : []);
      const [job] = await of();
      if (!job) throw new ApiError("RECORD_NOT_FOUND", ["job", String(id)]);
      const count = await (state === "waiting" ? queue.retry : queue.cancel)(job.name, job.id);
      if (count === 0)
        throw new ApiError("CONFLICT", [
          `the job is ${stateOf(job.state)}: ${
            state === "waiting"
              ? "only failed or cancelled jobs can wait again"
              : "only waiting or running jobs can be cancelled"
          }`,
        ]);
      const [changed] = await of();
      return presentJob(changed ?? job);
    },
  };
}

interface Find {
  /** The requested states, as keys of the map `states`. */
  readonly states: readonly string[];
  readonly name?: string;
  readonly id?: string;
  readonly limit: number;
  readonly offset: number;
}

const isState = (value: unknown): value is string => typeof value === "string" && states.has(value);

/** Parses the `find` of a call.
 * @throws {ApiError} MEMBER_INVALID */
function readFind(given: unknown = {}): Find {
  const refuse = (member: string, problem: string): never => {
    throw new ApiError("MEMBER_INVALID", [member, problem]);
  };
  if (!isObject(given)) return refuse("find", "it must be an object");
  for (const member of Object.keys(given))
    if (!["where", "limit", "offset"].includes(member))
      refuse(`find.${member}`, "for jobs, find accepts only where, limit and offset");
  const { where = {}, limit = 100, offset = 0 } = given;
  if (!isObject(where)) return refuse("find.where", "it must be an object");
  for (const member of Object.keys(where))
    if (!["id", "name", "state"].includes(member))
      refuse(`find.where.${member}`, "for jobs, find.where accepts only id, name and state");
  const { id, name, state } = where;
  if (id !== undefined && !isUuid(id)) refuse("find.where.id", "it must be a UUID");
  if (name !== undefined && typeof name !== "string")
    refuse("find.where.name", "it must be a string");
  const wanted = state === undefined ? ["waiting", "running", "failed"] : [state].flat();
  if (!wanted.every(isState))
    return refuse("find.where.state", `it must be one of ${[...states.keys()].join(", ")}`);
  return {
    states: wanted,
    ...(isUuid(id) && { id }),
    ...(typeof name === "string" && { name }),
    ...readPage(limit, offset, mostRows),
  };
}

/** Parses the state that an update sets.
 * @throws {ApiError} MEMBER_INVALID */
function readState(properties: unknown): "waiting" | "cancelled" {
  const { state, ...others } = isObject(properties) ? properties : {};
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new ApiError("MEMBER_INVALID", [
      `properties.${other}`,
      "it must be left out: only the state of a job can be set",
    ]);
  if (state === "waiting" || state === "cancelled") return state;
  throw new ApiError("MEMBER_INVALID", [
    "properties.state",
    "it must be waiting, to run the job again, or cancelled",
  ]);
}

const stateOf = (state: string): string =>
  [...states].find(([, own]) => own.includes(state))?.[0] ?? state;

function presentJob(row: JobRow): Readonly<Record<string, unknown>> {
  const { slot_ms: slotMs } = row;
  return {
    id: row.id,
    name: row.name,
    state: stateOf(row.state),
    attempts: row.retry_count + (row.started_on === null ? 0 : 1),
    problem: row.problem,
    alert_id: row.alert_id,
    delivery_id: row.delivery_id,
    securable_id: row.securable_id,
    copied_rows: row.copied_rows,
    progress: row.progress,
    slot_at: slotMs === null ? null : new Date(Number(slotMs)).toISOString(),
    created_at: row.created_on.toISOString(),
    start_after: row.start_after.toISOString(),
    started_at: row.started_on?.toISOString() ?? null,
    completed_at: row.completed_on?.toISOString() ?? null,
  };
}

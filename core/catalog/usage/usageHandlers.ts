import type { Knex } from "knex";
import {
  ApiError,
  type Handler,
  isObject,
  isUuid,
  nobody,
  type Principal,
  readPage,
} from "../../base/index.ts";
import type { UsageCounts } from "./openUsageCounts.ts";
import { monthOf, type UsagePart, usageKinds, usageParts } from "./usageKinds.ts";

export interface UsageHandlersOptions {
  readonly knex: Knex;
  readonly counts: Pick<UsageCounts, "flush">;
  /** Clock that decides the current month, in milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

const partNames = ["month", "integration", "suborganization", "dashboard", "viewer"] as const;
const mostRows = 10_000;
const mostValues = 1_000;

/**
 * Creates the action `get` of `usage`: what the people and programs of the caller's organization did, counted over all
 * hosts. `by` divides the numbers. A person counts once per row, however often and at how many hosts that person was
 * active. With `viewer`, the numbers are those of people, without programs. Owners of the organization see all of it,
 * and owners of a suborganization see that suborganization. Executes one SQL statement, whose cost is linear in the
 * viewers of the requested months.
 */
export function usageHandlers({ knex, counts, now = Date.now }: UsageHandlersOptions): {
  readonly get: Handler;
} {
  return {
    async get({ principal, body }) {
      const find = readFind(body.find, monthOf(now()));
      refuseOthers(principal);
      await counts.flush();
      const { organizationId, suborganization } = principal;
      // An owner of a suborganization sees that suborganization, whatever `where` asks for.
      const own = suborganization ? [suborganization] : null;
      const bindings = {
        organization: organizationId,
        own,
        month: find.where.month,
        integration: find.where.integration,
        suborganization: find.where.suborganization,
        dashboard: find.where.dashboard,
        viewer: find.where.viewer,
        limit: find.limit,
        offset: find.offset,
      };
      const { rows } = await knex.raw<{ rows: readonly Found[] }>(statementOf(find), bindings);
      const [first] = rows;
      return {
        count: Number(first?.row_count ?? 0),
        rows: rows.flatMap((row) => (row.is_row ? [presentUsage(row, find.by)] : [])),
        lost_count: Number(first?.lost_count ?? 0),
      };
    },
  };
}

interface Found extends Readonly<Record<string, unknown>> {
  /** Whether this is a row of usage; false if there is none, and only the number of lost acts was found. */
  readonly is_row: boolean;
  readonly row_count: string;
  readonly lost_count: string;
}

interface Find {
  readonly by: readonly UsagePart[];
  /** The values that each part may have, as stored; null for any. */
  readonly where: Readonly<Record<UsagePart, readonly string[] | null>>;
  readonly limit: number;
  readonly offset: number;
}

const types: Readonly<Record<UsagePart, string>> = {
  month: "text",
  integration: "uuid",
  suborganization: "text",
  dashboard: "uuid",
  viewer: "uuid",
};

/** Writes the statement for a division. `by` contains only names of parts, so the statement contains no given text. */
function statementOf({ by, where }: Pick<Find, "by" | "where">): string {
  // Only the rows of people say who did something.
  const isOfPeople = by.includes("viewer") || where.viewer !== null;
  const columns = by.map((part) => usageParts[part]);
  const keys = columns.length > 0 ? `${columns.join(", ")},` : "";
  const groups = columns.length > 0 ? `group by ${columns.join(", ")}` : "";
  const within = partNames
    .filter((part) => part !== "viewer" || isOfPeople)
    .map((part) => {
      const list = `:${part}::${types[part]}[]`;
      return `(${list} is null or ${usageParts[part]} = any(${list}))`;
    })
    .join(" and ");
  const scope = `organization_id = :organization::uuid and ${within}
    and (:own::text[] is null or suborganization = any(:own::text[]))`;
  const ofPeople = Object.values(usageKinds)
    .map((member) => `coalesce(sum(${member}), 0) as ${member}`)
    .join(", ");
  const sums = Object.entries(usageKinds)
    .map(
      ([kind, member]) => `coalesce(sum(amount) filter (where kind = '${kind}'), 0) as ${member}`,
    )
    .join(", ");
  // Without columns, each side has exactly one row.
  const joined =
    columns.length > 0
      ? `counted full join seen using (${columns.join(", ")})`
      : "counted cross join seen";
  const numbers = Object.values(usageKinds)
    .map((member) => `coalesce(${member}, 0) as ${member}`)
    .join(", ");
  const order = [
    ...(by.includes("month") ? ["month desc"] : []),
    "view_count desc, question_count desc",
    ...columns,
  ].join(", ");
  const found = isOfPeople
    ? `found as (select ${keys} count(distinct viewer_id) as viewer_count, ${ofPeople}
                   from usage_viewer where ${scope} ${groups}),`
    : `counted as (select ${keys} ${sums} from usage_count where ${scope} and kind <> 'lost' ${groups}),
         seen as (select ${keys} count(distinct viewer_id) as viewer_count from usage_viewer where ${scope} ${groups}),
         found as (select ${keys} coalesce(viewer_count, 0) as viewer_count, ${numbers}
                     from ${joined}),`;
  return `
    with ${found}
         paged as (select *, true as is_row, row_number() over (order by ${order}) as position
                     from found order by position limit :limit offset :offset),
         lost as (select coalesce(sum(amount), 0) as lost_count from usage_count
                   where organization_id = :organization::uuid and kind = 'lost'
                     and (:month::text[] is null or month = any(:month::text[])))
    select paged.*, lost.lost_count, (select count(*) from found) as row_count
      from lost left join paged on true order by paged.position`;
}

/**
 * Refuses callers who may not see usage.
 * @throws {ApiError} FORBIDDEN
 */
function refuseOthers({ organizationRole, restriction }: Principal): void {
  if (organizationRole !== "owner" || restriction)
    throw new ApiError("FORBIDDEN", [
      "see the usage of the organization; its owners have this right with a key pair or a session",
    ]);
}

function refuse(member: string, problem: string): never {
  throw new ApiError("MEMBER_INVALID", [member, problem]);
}

/**
 * Parses the `find` of a call. Without months, the current month is meant.
 * @throws {ApiError} MEMBER_INVALID, MEMBER_UNKNOWN
 */
function readFind(given: unknown, month: string): Find {
  const find = given ?? {};
  if (!isObject(find)) refuse("find", "it must be an object");
  const { where = {}, by = ["month"], limit = 1_000, offset = 0 } = find;
  if (!isObject(where)) refuse("find.where", "it must be an object");
  const isPart = (value: unknown): value is UsagePart => partNames.some((name) => name === value);
  if (!Array.isArray(by) || !by.every(isPart) || new Set(by).size !== by.length)
    refuse("find.by", `it must be a list of ${partNames.join(", ")}, each at most once`);
  const page = readPage(limit, offset, mostRows);
  return {
    by,
    where: {
      month: valuesOf(where, "month", isMonth, "a month such as 2026-01") ?? [month],
      integration: valuesOf(
        where,
        "integration",
        isUuid,
        "the id of an integration, or null for none",
      ),
      suborganization: valuesOf(where, "suborganization", isText, "a string, or null for none"),
      dashboard: valuesOf(where, "dashboard", isUuid, "the id of a dashboard, or null for none"),
      viewer: valuesOf(where, "viewer", isUuid, "the id of a user"),
    },
    ...page,
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isMonth = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(value);

/** Returns the values of a member of `where` as they are stored; null if the member is absent. */
function valuesOf(
  where: Readonly<Record<string, unknown>>,
  part: UsagePart,
  isValue: (value: unknown) => value is string,
  what: string,
): readonly string[] | null {
  const member = usageParts[part];
  const given = where[member];
  if (given === undefined) return null;
  const none = {
    month: undefined,
    integration: nobody,
    suborganization: "",
    dashboard: nobody,
    viewer: undefined,
  };
  const values = [given].flat().map((value: unknown) => {
    if (isValue(value)) return value;
    const stored = value === null ? none[part] : undefined;
    return stored ?? refuse(`find.where.${member}`, `it must be ${what}, or a list of them`);
  });
  if (values.length > mostValues)
    refuse(`find.where.${member}`, `the list must have at most ${mostValues} values`);
  return values;
}

function presentUsage(row: Found, by: readonly UsagePart[]): Readonly<Record<string, unknown>> {
  const parts = by.map((part) => {
    const member = usageParts[part];
    const value = row[member];
    return [member, value === nobody || value === "" ? null : value];
  });
  const numbers = ["viewer_count", ...Object.values(usageKinds)].map((member) => [
    member,
    Number(row[member]),
  ]);
  return Object.fromEntries([...parts, ...numbers]);
}

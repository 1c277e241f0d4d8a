import {
  checkFilters,
  createToken,
  explainFeatures,
  hashToken,
  type Principals,
} from "../../identity/index.ts";
import { writeAudit } from "../../catalog/index.ts";
import {
  type ApiCall,
  ApiError,
  asMap,
  type Handler,
  isList,
  isObject,
  isUuid,
  type Principal,
  type Records,
  type Row,
  type Members,
} from "../../base/index.ts";
import type { FindRowFilters } from "../../queries/index.ts";
import { rightsOf } from "../rights/rightsOf.ts";
import { refuseNonIssuer } from "./authorization.ts";
import { presentFilter } from "./presentFilter.ts";

export interface ExplainTokenOptions {
  readonly records: Records;
  readonly principals: Pick<Principals, "ofToken">;
  readonly rowFilters: FindRowFilters;
  /** Searches datasets and dashboards as a call by the given principal would. */
  readonly getSecurables: Handler;
}

/** Lifetime in milliseconds of the short-lived token with which an issuer sees what another token sees. */
const seenAsMs = 15 * 60_000;
const mostRows = 1_000;
const usualRows = 100;

/**
 * Members of a token that decide what it can reach and how pages look. They are copied to the token that
 * `options.token` requests.
 */
export const bounds = [
  "type",
  "user_id",
  "maker_id",
  "username",
  "role",
  "access",
  "securables",
  "filters",
  "parameter_overrides",
  "account_overrides",
  "hidden_columns",
  "metadata",
  "feature_overrides",
  "environment",
  "locale_id",
  "timezone_id",
  "currency_id",
  "integration_id",
  "theme",
  "theme_id",
  "css",
] as const;

/**
 * Creates the action `explain` of `authorization`. It returns the datasets, dashboards, columns and rows that a token
 * of type embed, sso or temporary can see now, and why other records are missing. With `options.token`, the answer also
 * contains a key pair with the same access, which is valid for 15 minutes and is revoked with the token. Only the
 * issuer of the token may call it. Each call is audited.
 */
export function explainToken(options: ExplainTokenOptions): Handler {
  const { records, principals } = options;

  /** Returns the token that a call names. Only its issuer can find it. */
  const tokenOf = async ({ body, principal }: ApiCall) => {
    refuseNonIssuer(principal);
    const { id } = body;
    const found = isUuid(id) ? await records.find("authorization", { id }) : [];
    const [row] = found.filter(({ maker_id }) => maker_id === principal.userId);
    const shown = row && (await principals.ofToken(row.id));
    if (!row || !shown?.restriction)
      throw new ApiError("RECORD_NOT_FOUND", ["authorization", String(id).slice(0, 100)]);
    return { row, shown, issuer: shown.restriction.issuer };
  };

  return async (call) => {
    const { row, shown, issuer } = await tokenOf(call);
    const { limit, offset, withToken } = readOptions(call.body);
    const seen = await securablesOf(shown, { limit, offset }, call, options);
    const datasets = seen.rows.filter(({ type }) => type === "dataset");
    const owned = await records.visible("securable", idsOf(datasets), "own", call.principal);
    const shownRights = await rightsOf(idsOf(seen.rows), shown, records);
    const present = (each: Row & Members<"type" | "name">) => ({
      id: each.id,
      type: each.type,
      name: each.name ?? null,
      rights: shownRights.get(each.id) ?? "read",
    });
    const explained = [];
    for (const dataset of datasets)
      explained.push({
        ...present(dataset),
        ...(await columnsOf(dataset.id, shown, records)),
        ...(await filtersOf(dataset.id, { shown, isOwned: owned.has(dataset.id) }, options)),
      });
    const token = await records.transaction(async (transaction) => {
      const event = { action: "explain", resource: "authorization", recordId: row.id } as const;
      await writeAudit(records, call, event, transaction);
      if (!withToken) return undefined;
      const expiry = new Date(Math.min(Date.now() + seenAsMs, row.expiry.getTime()));
      const secret = createToken();
      const same = Object.fromEntries(bounds.map((member) => [member, row[member]]));
      const values = {
        ...same,
        description: `sees as ${row.id}`,
        parent_id: row.id,
        expiry,
        token_hash: hashToken(secret),
      };
      const made = await records.insert("authorization", values, transaction);
      const issued = { ...event, action: "create", recordId: made.id } as const;
      await writeAudit(records, call, issued, transaction);
      return { id: made.id, token: secret, expiry: expiry.toISOString() };
    });
    return {
      id: row.id,
      type: row.type,
      username: row.username,
      role: row.role,
      expiry: row.expiry.toISOString(),
      environment: shown.restriction?.environment ?? null,
      access: row.access,
      securables: row.securables,
      integration_id: row.integration_id,
      filters: row.filters,
      hidden_columns: row.hidden_columns,
      features: explainFeatures(shown, row.feature_overrides),
      allowed_origins: row.allowed_origins,
      allowed_addresses: row.allowed_addresses,
      count: seen.count,
      datasets: explained,
      dashboards: seen.rows.filter(({ type }) => type === "dashboard").map(present),
      missing: await missingOf(shown, issuer, records),
      ...(token && { token }),
    };
  };
}

interface Found {
  readonly count: number;
  readonly rows: readonly Row[];
}

async function securablesOf(
  principal: Principal,
  page: { readonly limit: number; readonly offset: number },
  call: ApiCall,
  { getSecurables }: ExplainTokenOptions,
): Promise<Found> {
  const find = { attributes: ["id", "type", "name"], order: [["id", "asc"]], ...page };
  const { requestId, address, signal } = call;
  const body = { action: "get", find };
  const search = {
    resource: "securable",
    action: "get",
    body,
    principal,
    requestId,
    address,
    signal,
  } as const;
  const found = await getSecurables(search);
  if (!isObject<"rows" | "count">(found) || !isList(found.rows))
    throw new Error("a search must return a list of rows");
  const rows = found.rows.filter(isObject<"id">).map((row) => ({ ...row, id: String(row.id) }));
  return { count: Number(found.count), rows };
}

/** Returns the columns that the token can see, and those that are hidden from it. */
async function columnsOf(datasetId: string, shown: Principal, records: Records) {
  const all = await records.find("column", { securable_id: datasetId });
  const seen = await records.visible("column", idsOf(all), "read", shown);
  const columns = all.toSorted((one, other) => Number(one.order) - Number(other.order));
  const present = ({ id, name, type }: (typeof all)[number]) => ({ id, name, type });
  return {
    columns: columns.filter(({ id }) => seen.has(id)).map(present),
    hidden_columns: columns.filter(({ id }) => !seen.has(id)).map(present),
  };
}

/**
 * Returns the row filters of a dataset. Shows the values in filters of the token and of the filter group. Shows the
 * values in filters of shares only to owners of the dataset, and never shows sensitive values.
 */
async function filtersOf(
  datasetId: string,
  { shown, isOwned }: { readonly shown: Principal; readonly isOwned: boolean },
  { records, rowFilters }: ExplainTokenOptions,
) {
  const parameters = shown.restriction?.parameters ?? new Map<string, never>();
  try {
    const filters = await rowFilters(shown, datasetId);
    const issuer = shown.restriction?.issuer ?? shown;
    const bound = { records, principal: issuer, isComplete: true };
    await checkFilters(filters, parameters, bound, "filters");
    const presented = filters.map((filter) =>
      presentFilter(filter, parameters, filter.setBy !== "share" || isOwned),
    );
    return { rows: presented.length === 0 ? "all" : "filtered", filters: presented, reason: null };
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.status >= 500) throw failure;
    return { rows: "closed", filters: [], reason: failure.message };
  }
}

/**
 * Returns the records that a token names but cannot see, because its issuer can no longer see them or lacks the right.
 */
async function missingOf(shown: Principal, issuer: Principal, records: Records) {
  const named = [...(shown.restriction?.securables.keys() ?? [])];
  const seen = await records.visible("securable", named, "read", shown);
  const ofIssuer = await records.visible("securable", named, "read", issuer);
  return named
    .filter((id) => !seen.has(id))
    .map((id) => ({ id, reason: ofIssuer.has(id) ? "not_shown" : "issuer_does_not_see" }));
}

const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

function readOptions(body: ApiCall["body"]) {
  const given = asMap(body.options ?? {});
  if (!isObject(given)) throw invalid("options", "must be an object");
  const { token = false, limit = usualRows, offset = 0, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`options.${unknown}`, "token, limit, offset"]);
  if (typeof token !== "boolean") throw invalid("options.token", "must be true or false");
  return {
    withToken: token,
    limit: wholeNumber("options.limit", limit, 1, mostRows),
    offset: wholeNumber("options.offset", offset, 0, Number.MAX_SAFE_INTEGER),
  };
}

function wholeNumber(path: string, value: unknown, least: number, most: number): number {
  if (Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most)
    return Number(value);
  throw invalid(path, `must be a whole number from ${least} to ${most}`);
}

const invalid = (path: string, problem: string): ApiError =>
  new ApiError("MEMBER_INVALID", [path, problem]);

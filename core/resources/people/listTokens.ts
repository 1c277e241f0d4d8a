import type { Knex } from "knex";
import { arrayBinding } from "../../catalog/index.ts";
import { invalid } from "../../identity/index.ts";
import {
  type ApiCall,
  ApiError,
  asMap,
  type Handler,
  isObject,
  type Principal,
  type Records,
} from "../../base/index.ts";
import { refuseNonIssuer } from "./authorization.ts";

export interface ListTokensOptions {
  readonly records: Pick<Records, "visible">;
  readonly knex: Knex;
}

interface TokenRow {
  readonly id: string;
  readonly securable_ids: readonly string[];
  readonly integration_id: string | null;
}

const mostRows = 1_000;
const usualRows = 100;

/** Matches tokens that the caller issued. A token with a parent is one with which an issuer sees as another token. */
const issued = `from "authorization" t
   where t.maker_id = ? and t.type in ('embed', 'sso', 'temporary') and t.parent_id is null and t.deleted_at is null
     and (?::text = '' or t.username ilike ? or t.name ilike ? or t.email ilike ?)`;

/**
 * Creates the action `list` of `authorization`. It returns the tokens of type embed, sso and temporary that the caller
 * issued, newest first: for whom, until when, and the names of the dashboards, datasets and integration that they name,
 * as far as the caller can see these. Key pairs with which an issuer looked at what others see are left out.
 * @throws {ApiError} FORBIDDEN for callers who may not issue tokens; MEMBER_INVALID, MEMBER_UNKNOWN
 */
export function listTokens({ records, knex }: ListTokensOptions): Handler {
  return async ({ body, principal }) => {
    refuseNonIssuer(principal);
    const { search, limit, offset } = readOptions(body);
    const pattern = `%${search.replaceAll(/[\\%_]/g, "\\$&")}%`;
    const bindings = [principal.userId, search, pattern, pattern, pattern];
    const { rows }: { rows: TokenRow[] } = await knex.raw(
      `select t.id, t.type, t.username, t.name, t.email, t.role, t.created_at, t.expiry, t.last_used_at, t.integration_id,
              array(select each ->> 'id' from jsonb_array_elements(
                      coalesce(t.access -> 'dashboards', '[]') || coalesce(t.access -> 'datasets', '[]')) each
                    union select jsonb_array_elements_text(coalesce(t.securables, '[]'))) as securable_ids
         ${issued}
        order by t.created_at desc, t.id limit ? offset ?`,
      [...bindings, limit, offset],
    );
    const { rows: counted } = await knex.raw(`select count(*)::int as count ${issued}`, bindings);
    const names = await namesOf(rows, principal, { records });
    return {
      count: Number(counted[0]?.count ?? 0),
      rows: rows.map(({ securable_ids: ids, integration_id: integrationId, ...row }) => ({
        ...row,
        integration:
          integrationId === null ? null : (names.integrations.get(integrationId) ?? null),
        securables: ids
          .flatMap((id) => names.securables.get(id.toLowerCase()) ?? [])
          .toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1)),
      })),
    };
  };
}

/** Dashboards come before datasets, each by name. */
const orderOf = ({
  type,
  name,
  id,
}: {
  readonly type: unknown;
  readonly name: unknown;
  readonly id: string;
}): string => JSON.stringify([type, name, id]);

async function namesOf(
  rows: readonly TokenRow[],
  principal: Principal,
  { records }: Pick<ListTokensOptions, "records">,
) {
  const ids = new Set(rows.flatMap(({ securable_ids: each }) => each));
  const integrationIds = new Set(rows.flatMap(({ integration_id: id }) => id ?? []));
  const securables = await records.visible("securable", arrayBinding(ids), "read", principal);
  const integrations = await records.visible(
    "integration",
    arrayBinding(integrationIds),
    "read",
    principal,
  );
  return {
    securables: new Map(
      [...securables.values()].map(({ id, type, name }) => [id, { id, type, name }]),
    ),
    integrations: new Map([...integrations.values()].map(({ id, name }) => [id, { id, name }])),
  };
}

function readOptions(body: ApiCall["body"]) {
  const given = asMap(body.options ?? {});
  if (!isObject(given)) throw invalid("options", "must be an object");
  const { search = "", limit = usualRows, offset = 0, ...others } = given;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined)
    throw new ApiError("MEMBER_UNKNOWN", [`options.${unknown}`, "search, limit, offset"]);
  if (typeof search !== "string" || search.length > 200)
    throw invalid("options.search", "must be a string of at most 200 characters");
  if (!Number.isSafeInteger(limit) || Number(limit) < 1 || Number(limit) > mostRows)
    throw invalid("options.limit", `must be a whole number from 1 to ${mostRows}`);
  if (!Number.isSafeInteger(offset) || Number(offset) < 0)
    throw invalid("options.offset", "must be a whole number of 0 or more");
  return { search: search.trim(), limit: Number(limit), offset: Number(offset) };
}

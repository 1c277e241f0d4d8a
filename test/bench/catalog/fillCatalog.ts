import type { Knex } from "knex";
import { idOf } from "./pages.ts";

/**
 * The number of records in the bench's catalog. `rights` is the number of links between users and records, of all
 * kinds.
 */
export interface CatalogSize {
  readonly users: number;
  readonly securables: number;
  readonly columns: number;
  readonly rights: number;
}

/**
 * Returns the size of a catalog with the given number of columns. With a million columns, the catalog has 10,000 users
 * and 100,000 datasets and dashboards.
 */
export function sizeOf(columns: number): CatalogSize {
  return { users: columns / 100, securables: columns / 10, columns, rights: columns };
}

/**
 * Returns whether a catalog is already filled with this seed and size.
 * @throws {Error} if the catalog was filled with another seed or size
 */
export async function isFilled(knex: Knex, seed: number, size: CatalogSize): Promise<boolean> {
  const columns: { readonly id: string }[] = await knex("column").select("id").limit(1);
  if (columns.length === 0) return false;
  const ends = [0, size.columns - 1].map((index) => idOf(seed, "column", index));
  const [found]: { count: unknown }[] = await knex("column")
    .whereIn("id", ends)
    .count("id as count");
  const [beyond] = await knex("column")
    .where("id", idOf(seed, "column", size.columns))
    .limit(1);
  if (Number(found?.count) !== ends.length || beyond)
    throw new Error("the folder contains a catalog with another seed or size; use an empty folder");
  return true;
}

/**
 * Fills an empty catalog, with one statement per table. The same seed gives the same catalog. Organization 0 has two
 * fifths of all records, and its user 0 owns a fifth of its datasets and dashboards. Seven other organizations share
 * the other records. One user in three belongs to a suborganization. `idOf` computes the id of each record. Foreign
 * keys are not checked while the catalog is filled.
 */
export async function fillCatalog(knex: Knex, seed: number, size: CatalogSize): Promise<void> {
  await knex.transaction(async (transaction) => {
    for (const statement of statements(seed, size)) await transaction.raw(statement);
  });
  await knex.raw("vacuum (analyze)");
}

const contents = JSON.stringify({
  version: "0.1.99",
  views: Array.from({ length: 3 }, (_, view) => ({
    screenModus: ["desktop", "tablet", "mobile"][view],
    items: Array.from({ length: 12 }, (__, item) => ({
      id: `item-${view}-${item}`,
      type: "bar-chart",
      position: { row: item * 2, col: view, sizeX: 12, sizeY: 6 },
      options: { title: { en: `Chart ${item}` }, legend: { position: "top" }, theme: "default" },
    })),
  })),
});

const words = "sales,orders,margin,stock,visits,churn,budget,claims,fleet,energy,payroll,returns";

function statements(seed: number, { users, securables, columns, rights }: CatalogSize): string[] {
  const datasets = Math.floor(securables * 0.8);
  const [groups, tags, formulas] = [users / 5, users / 10, securables / 5];
  const [collections, integrations] = [users, 80];
  const times = "now() - (interval '1 minute' * bench.pick('at', i, 500000)), now()";
  const link = (table: string, keys: string, select: string) =>
    `insert into ${table} (${keys}) ${select} on conflict do nothing`;
  const flags = `"flagRead", "flagUse", "flagModify", "flagOwn"`;
  const level = (kind: string) => `cross join lateral (select bench.pick('${kind}', i, 10) as v) f`;
  const flagValues = "true, f.v > 3, f.v > 6, f.v > 8";
  return [
    `create schema bench;
     create function bench.id(kind text, i bigint) returns uuid language sql immutable parallel safe
       return md5('${seed}:' || kind || ':' || i)::uuid;
     create function bench.id(kind text, i double precision) returns uuid language sql immutable parallel safe
       return bench.id(kind, floor(i)::bigint);
     create function bench.pick(kind text, i bigint, below bigint) returns bigint language sql immutable parallel safe
       return (hashint8extended(i, hashtext(kind)::bigint + ${seed}) & 9223372036854775807) % below;
     create function bench.word(kind text, i bigint) returns text language sql immutable parallel safe
       return (string_to_array('${words}', ','))[1 + bench.pick(kind, i, 12)];
     create table bench.tenant as
       select k, bench.id('organization', k) as id, s.share, s.start
         from (select k, case k when 0 then 0.4 else 0.6 / 7 end as share,
                      case k when 0 then 0 else 0.4 + (k - 1) * 0.6 / 7 end as start from generate_series(0, 7) k) s;
     create function bench.tenant_of(i bigint, n bigint) returns bigint language sql immutable parallel safe
       return case when i < n * 0.4 then 0 else least(7, 1 + floor((i - n * 0.4) / (n * 0.6 / 7))) end;
     -- The index of some user of a tenant.
     create function bench.user_of(tenant bigint, kind text, i bigint) returns bigint language sql immutable parallel safe
       return case tenant when 0 then bench.pick(kind, i, (${users} * 0.4)::bigint)
         else ceil(${users} * 0.4 + (tenant - 1) * (${users} * 0.6 / 7))::bigint + bench.pick(kind, i, floor(${users} * 0.6 / 7)::bigint) end;
     create function bench.owner_of(i bigint) returns bigint language sql immutable parallel safe
       return case when bench.tenant_of(i, ${securables}) = 0 and bench.pick('service', i, 5) = 0 then 0
         else bench.user_of(bench.tenant_of(i, ${securables}), 'owner', i) end;`,
    `insert into organization (id, name, created_at, updated_at)
       select id, jsonb_build_object('en', 'Tenant ' || k), now(), now() from bench.tenant`,
    "set local session_replication_role = replica",
    `insert into "user" (id, email, name, suborganization, created_at, updated_at)
       select bench.id('user', i), 'user' || i || '@example.org', 'User ' || i,
              case when i % 3 = 1 then 'sub' || bench.pick('sub', i, 20) end, ${times}
         from generate_series(0, ${users - 1}) i`,
    `insert into organization_user (organization_id, user_id, "flagEditor", "flagOwn")
       select bench.id('organization', bench.tenant_of(i, ${users})), bench.id('user', i), i % 10 = 0, i = 0 or i % 500 = 499
         from generate_series(0, ${users - 1}) i`,
    `insert into "authorization" (id, type, expiry, token_hash, user_id, created_at, updated_at)
       select bench.id('api', i), 'api', now() + interval '100 years', sha256(convert_to('token' || i, 'UTF8')), bench.id('user', i), ${times}
         from generate_series(0, ${users - 1}) i`,
    `insert into "group" (id, name, public, organization_id, created_at, updated_at)
       select bench.id('group', i), to_jsonb('Group ' || i), false, bench.id('organization', bench.tenant_of(i, ${groups})), ${times}
         from generate_series(0, ${groups - 1}) i`,
    link(
      "group_user",
      `group_id, user_id`,
      `select bench.id('group', i / 10), bench.id('user', bench.user_of(bench.tenant_of(i / 10, ${groups}), 'member', i))
         from generate_series(0, ${groups * 10 - 1}) i`,
    ),
    `insert into account (id, name, provider, active, invalid, cache, datasets_meta_sync_enabled, datasets_meta_sync_interval, synced, shareable_id, user_id, created_at, updated_at)
       select bench.id('account', i), to_jsonb('Account ' || i), 'postgresql', true, false, 0, true, 1, true, bench.id('shareable', i),
              bench.id('user', bench.user_of(bench.tenant_of(i, ${users / 20}), 'account', i)), ${times}
         from generate_series(0, ${users / 20 - 1}) i`,
    `insert into securable (id, type, name, description, contents, featured, derived, cache, storage, is_variant, uses_strata_experimental,
              meta_sync_interval, meta_sync_inherit, meta_sync_enabled, account_id, owner_id, modified_at, created_at, updated_at)
       select bench.id('securable', i), case when i % 5 = 4 then 'dashboard' else 'dataset' end,
              jsonb_build_object('en', bench.word('one', i) || ' ' || bench.word('two', i) || ' ' || i, 'fr', bench.word('three', i) || ' numéro ' || i),
              jsonb_build_object('en', 'About ' || bench.word('four', i) || ' of the ' || bench.word('five', i) || ', kept by team ' || i % 97),
              case when i % 5 = 4 then '${contents}'::jsonb end,
              false, false, 0, case when i % 5 < 4 then 'strata' end, false, false, 1, true, true,
              case when i % 3 = 0 then bench.id('account', floor(i * ${users / 20}::float / ${securables})::bigint) end,
              bench.id('user', bench.owner_of(i)), ${times}, now()
         from generate_series(0, ${securables - 1}) i`,
    `insert into "column" (id, name, "order", source_name, type, "isLabel", hidden, colors_enabled, hierarchy_enabled, ordering_enabled, version,
              format, securable_id, user_id, created_at, updated_at)
       select bench.id('column', i), jsonb_build_object('en', bench.word('column', i) || ' ' || i % 40), floor(i / ${datasets}), 'c' || i,
              case when i % 3 = 0 then 'numeric' else 'hierarchy' end, false, false, true, false, false, 0, ',.2f', bench.id('securable', d.d),
              bench.id('user', bench.owner_of(d.d)), ${times}
         from generate_series(0, ${columns - 1}) i
        cross join lateral (select (case when i % 20 = 0 then i % 2000 else i % ${datasets} end) as n) as n
        cross join lateral (select (n.n / 4) * 5 + n.n % 4 as d) as d`,
    link(
      "securable_user",
      `securable_id, user_id, ${flags}`,
      `select bench.id('securable', i % ${securables}), bench.id('user', bench.user_of(bench.tenant_of(i % ${securables}, ${securables}), 'share', i)), ${flagValues}
         from generate_series(0, ${rights * 0.7 - 1}) i ${level("userLevel")}`,
    ),
    link(
      "securable_group",
      `securable_id, group_id, ${flags}`,
      `select bench.id('securable', i % ${securables}),
              bench.id('group', least(${groups - 1}, floor((i % ${securables}) * ${groups}::float / ${securables} / 50) * 50 + bench.pick('group', i, 50))), ${flagValues}
         from generate_series(0, ${rights * 0.18 - 1}) i ${level("groupLevel")}`,
    ),
    link(
      "securable_group",
      "securable_id, group_id, published",
      `select bench.id('securable', i), g.id, true from generate_series(0, ${securables - 1}) i
         join "group" g on g.public and g.organization_id = bench.id('organization', bench.tenant_of(i, ${securables}))
        where bench.pick('public', i, 50) = 0`,
    ),
    `insert into integration (id, name, organization_id, user_id, created_at, updated_at)
       select bench.id('integration', i), to_jsonb('Integration ' || i), bench.id('organization', bench.tenant_of(i, ${integrations})),
              bench.id('user', bench.user_of(bench.tenant_of(i, ${integrations}), 'integration', i)), ${times}
         from generate_series(0, ${integrations - 1}) i`,
    link(
      "securable_integration",
      `securable_id, integration_id, "flagUse"`,
      `select bench.id('securable', i % ${securables}), bench.id('integration', floor((i % ${securables}) * ${integrations}::float / ${securables})::bigint), true
         from generate_series(0, ${rights * 0.02 - 1}) i`,
    ),
    link(
      "integration_group",
      "integration_id, group_id",
      `select bench.id('integration', i), bench.id('group', floor(i * ${groups}::float / ${integrations})::bigint) from generate_series(0, ${integrations - 1}) i`,
    ),
    `insert into collection (id, name, favorite, user_id, created_at, updated_at)
       select bench.id('collection', i), to_jsonb('Collection ' || i), i % 4 = 0, bench.id('user', i), ${times} from generate_series(0, ${collections - 1}) i`,
    link(
      "collection_securable",
      "collection_id, securable_id",
      `select bench.id('collection', i % ${collections}),
              bench.id('securable', least(${securables - 1}, floor((i % ${collections}) * 10.0 + bench.pick('collected', i, 10)))::bigint)
         from generate_series(0, ${rights * 0.08 - 1}) i`,
    ),
    link(
      "collection_user",
      `collection_id, user_id, ${flags}`,
      `select bench.id('collection', i % ${collections}), bench.id('user', bench.user_of(bench.tenant_of(i % ${collections}, ${collections}), 'reader', i)), ${flagValues}
         from generate_series(0, ${rights * 0.02 - 1}) i ${level("collectionLevel")}`,
    ),
    `insert into tag (id, tag, organization_id, created_at, updated_at)
       select bench.id('tag', i), bench.word('tag', i) || i % 50, bench.id('organization', bench.tenant_of(i, ${tags})), ${times} from generate_series(0, ${tags - 1}) i`,
    link(
      "securable_tag",
      "securable_id, tag_id",
      `select bench.id('securable', i % ${securables}), bench.id('tag', least(${tags - 1}, floor((i % ${securables}) * ${tags}::float / ${securables} / 20) * 20 + bench.pick('tagged', i, 20)))
         from generate_series(0, ${securables * 2 - 1}) i`,
    ),
    `insert into formula (id, name, expression, type, user_id, created_at, updated_at)
       select bench.id('formula', i), jsonb_build_object('en', 'Formula ' || i), 'COUNTR()', 'numeric', bench.id('user', bench.owner_of(i * 5)), ${times}
         from generate_series(0, ${formulas - 1}) i`,
    link(
      "securable_formula",
      "securable_id, formula_id",
      `select bench.id('securable', i * 5), bench.id('formula', i) from generate_series(0, ${formulas - 1}) i`,
    ),
    link(
      "securable_dataset",
      "dashboard_id, dataset_id",
      `select bench.id('securable', i * 5 + 4), bench.id('securable', i * 5 + n) from generate_series(0, ${securables / 5 - 1}) i, generate_series(0, 2) n`,
    ),
    `insert into "authorization" (id, type, expiry, token_hash, user_id, maker_id, username, role, access, created_at, updated_at)
       select bench.id('embed', i), 'embed', now() + interval '1 day', sha256(convert_to('token' || i, 'UTF8')), bench.id('user', i), bench.id('user', 0), 'visitor' || i, 'viewer',
              jsonb_build_object('datasets', (select jsonb_agg(jsonb_build_object('id', bench.id('securable', (i * 50 + n * 5) % (${securables} * 2 / 5)), 'rights', 'use')) from generate_series(0, 99) n),
                                 'dashboards', (select jsonb_agg(jsonb_build_object('id', bench.id('securable', (i * 50 + n * 5 + 4) % (${securables} * 2 / 5)), 'rights', 'use')) from generate_series(0, 99) n),
                                 'collections', jsonb_build_array(jsonb_build_object('id', bench.id('collection', 0), 'inheritRights', 'use'))), ${times}
         from generate_series(0, ${users - 1}) i`,
    "drop schema bench cascade",
  ];
}

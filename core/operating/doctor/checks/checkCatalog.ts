import type { Catalog } from "../../../catalog/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const check = "catalog";
/** Maximum skew between the clocks of the catalog and the host, in milliseconds. */
const mostSkewMs = 2_000;
const leastMajor = 14;
/** Number of connections that a host uses. */
const ownConnections = 22;

/** Checks the catalog's PostgreSQL server and its clock. */
export async function checkCatalog({ knex }: Pick<Catalog, "knex">): Promise<Diagnosis[]> {
  const before = Date.now();
  const { rows } = await knex.raw<{
    rows: { version: number; now: Date; fsync: string; most: number; used: number }[];
  }>(
    `select current_setting('server_version_num')::int as version, clock_timestamp() as now,
      current_setting('fsync') as fsync, current_setting('max_connections')::int as most,
      (select count(*)::int from pg_stat_activity) as used`,
  );
  const answeredMs = Date.now() - before;
  const [server] = rows;
  if (!server) return [bad(check, "PostgreSQL returned no rows", "check its log")];
  const major = Math.floor(server.version / 10_000);
  const skewMs = Math.abs(server.now.getTime() - (before + answeredMs / 2)) - answeredMs / 2;
  return [
    major < leastMajor
      ? bad(
          check,
          `PostgreSQL ${major} is older than the versions that Manifold supports`,
          `use version ${leastMajor} or newer`,
        )
      : good(check, `PostgreSQL ${major} responds in ${answeredMs} ms`),
    ...(server.fsync === "on"
      ? []
      : [
          bad(
            check,
            "PostgreSQL runs with fsync off: a power cut can damage the catalog",
            "set fsync = on and restart PostgreSQL",
          ),
        ]),
    ...(server.most - server.used < ownConnections
      ? [
          weak(
            check,
            `PostgreSQL has ${server.used} of ${server.most} connections in use`,
            `each host uses up to ${ownConnections}; raise max_connections`,
          ),
        ]
      : []),
    skewMs > mostSkewMs
      ? bad(
          "clock",
          `the clocks of this machine and PostgreSQL differ by ${(skewMs / 1000).toFixed(1)} s`,
          "run a time service on both, because tokens, links and alerts depend on these clocks",
        )
      : good("clock", "the clocks of this machine and PostgreSQL agree"),
  ];
}

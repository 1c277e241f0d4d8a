import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Config } from "../../../base/index.ts";
import { bad, type Diagnosis, good, weak } from "../diagnosis.ts";

const timeoutMs = 10_000;
/** Maximum skew between a server's clock and the host's, in milliseconds. */
const mostSkewMs = 2_000;
const Answer = Compile(Type.Object({ data: Type.Array(Type.Array(Type.Unknown())) }));

/** Checks each ClickHouse server of the store, and the shards of its cluster. */
export async function checkStore({
  clickhouseUrl,
  clickhouseCluster: cluster,
  clickhouseReader: reader,
}: Pick<Config, "clickhouseUrl" | "clickhouseCluster" | "clickhouseReader">): Promise<Diagnosis[]> {
  if (clickhouseUrl === undefined) return [];
  const urls = clickhouseUrl.split(/,(?=https?:\/\/)/);
  const servers = await Promise.all(urls.map(checkServer));
  const versions = new Set(servers.flatMap(({ version }) => version ?? []));
  const [first] = urls;
  return [
    ...servers.flatMap(({ diagnoses }) => diagnoses),
    ...(reader === undefined || first === undefined || !servers[0]?.version
      ? []
      : [await checkReader(first, reader)]),
    ...(versions.size > 1
      ? [
          weak(
            "store",
            `the servers have different versions: ${[...versions].join(", ")}`,
            "upgrade all of them to the same version",
          ),
        ]
      : []),
    ...(cluster === undefined || first === undefined ? [] : await checkShards(first, cluster)),
  ];
}

async function checkServer(
  url: string,
): Promise<{ readonly diagnoses: readonly Diagnosis[]; readonly version?: string }> {
  const name = nameOf(url);
  try {
    const before = Date.now();
    const [row = []] = await runStatement(
      url,
      "select version(), toUnixTimestamp64Milli(now64(3))",
    );
    const after = Date.now();
    const [version, atMs] = row.map(String);
    const skewMs = Number(atMs) - (before + after) / 2;
    const isSkewed = Math.abs(skewMs) > mostSkewMs + (after - before);
    return {
      version: String(version),
      diagnoses: [
        good("store", `ClickHouse at ${name} responds, version ${version}`),
        ...(isSkewed
          ? [
              weak(
                "clock",
                `the clock of ClickHouse at ${name} differs by ${Math.round(skewMs / 1000)} s`,
                "synchronize both machines, for example with chrony",
              ),
            ]
          : []),
      ],
    };
  } catch (failure) {
    return {
      diagnoses: [
        bad(
          "store",
          `ClickHouse at ${name} does not respond (${codeOf(failure)})`,
          "start it, and check its address, user and password in MANIFOLD_CLICKHOUSE_URL",
        ),
      ],
    };
  }
}

/** Checks that the database user for queries can sign in and can only read. */
async function checkReader(url: string, reader: string): Promise<Diagnosis> {
  const name = nameOf(url);
  try {
    const [row = []] = await runStatement(url, "select getSetting('readonly')", reader);
    return Number(row[0]) > 0
      ? good(
          "store",
          `ClickHouse at ${name} accepts the user of MANIFOLD_CLICKHOUSE_READER, who can only read`,
        )
      : weak(
          "store",
          `the user of MANIFOLD_CLICKHOUSE_READER is not restricted to reading at ${name}`,
          "set readonly = 2 for it: alter user … settings readonly = 2",
        );
  } catch (failure) {
    return bad(
      "store",
      `ClickHouse at ${name} refuses the user of MANIFOLD_CLICKHOUSE_READER (${codeOf(failure)}), so the host cannot start`,
      "set it to the user:password of a user who can read the store's database",
    );
  }
}

async function checkShards(url: string, cluster: string): Promise<readonly Diagnosis[]> {
  const name = `'${cluster.replaceAll(/[\\']/g, "\\$&")}'`;
  try {
    const shards = await runStatement(
      url,
      `select shard_num, any(host_name), any(port) from system.clusters where cluster = ${name}
       group by shard_num order by shard_num`,
    );
    if (shards.length === 0)
      return [
        bad(
          "store",
          `ClickHouse at ${nameOf(url)} has no cluster ${cluster}`,
          "set MANIFOLD_CLICKHOUSE_CLUSTER to one of its remote_servers",
        ),
      ];
    const found = await runStatement(
      url,
      `select distinct shardNum() from cluster(${name}, system.one) settings skip_unavailable_shards = 1`,
    );
    const there = new Set(found.map(([shard]) => Number(shard)));
    const away = shards.filter(([shard]) => !there.has(Number(shard)));
    return away.length === 0
      ? [good("store", `all ${shards.length} shards of ${cluster} respond`)]
      : away.map(([shard, host, port]) =>
          bad(
            "store",
            `the shard ${String(shard)} of ${cluster} at ${String(host)}:${String(port)} does not respond, so queries fail`,
            "start it, and check the network between the servers",
          ),
        );
  } catch (failure) {
    return [
      bad(
        "store",
        `ClickHouse at ${nameOf(url)} does not list the shards of ${cluster} (${codeOf(failure)})`,
        "grant its user the rights that docs/RUNNING.md lists for a cluster",
      ),
    ];
  }
}

function userOf(url: string): string {
  const { username, password } = new URL(url);
  return `${decodeURIComponent(username) || "default"}:${decodeURIComponent(password)}`;
}

/**
 * Runs a statement.
 * @throws {Error} without the server's message, because it may contain a user name
 */
async function runStatement(
  url: string,
  statement: string,
  user = userOf(url),
): Promise<readonly (readonly unknown[])[]> {
  const { protocol } = new URL(url);
  const response = await fetch(`${protocol}//${nameOf(url)}/?default_format=JSONCompact`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` },
    body: statement,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const code = response.headers.get("x-clickhouse-exception-code") ?? response.status;
  if (!response.ok) throw Object.assign(new Error("refused"), { code: `code ${code}` });
  const answer: unknown = await response.json();
  if (!Answer.Check(answer)) throw Object.assign(new Error("odd"), { code: "no ClickHouse" });
  return answer.data;
}

/** Returns the host and the port of a server's URL. If the URL names no port, returns ClickHouse's default port. */
function nameOf(url: string): string {
  const { protocol, hostname } = new URL(url);
  const port = /:(\d+)\/?$/.exec(url)?.[1] ?? (protocol === "https:" ? "8443" : "8123");
  return `${hostname}:${port}`;
}

function codeOf(failure: unknown): string {
  if (!(failure instanceof Error)) return "no answer";
  const { cause } = failure;
  const from = cause instanceof Error && "code" in cause ? cause : failure;
  return "code" in from ? String(from.code) : "no answer";
}

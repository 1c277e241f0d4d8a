import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { arch, platform } from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { clickhouseUsers } from "./clickhouseUsers.ts";
import { findPackages } from "./findPackages.ts";

/** A user of the server. */
export interface ClickhouseUser {
  readonly name: string;
  readonly password: string;
}

/** The address of a real ClickHouse server for tests, and its users. */
export interface ClickhouseServer {
  readonly host: string;
  readonly port: number;
  /** A user with all rights. */
  readonly admin: ClickhouseUser;
  /** A user with all rights, but with a profile that forbids writes and changes of settings (`readonly` = 1). */
  readonly locked: ClickhouseUser;
}

/** A running server that the test can stop and restart. */
export interface OpenClickhouseServer extends ClickhouseServer {
  readonly pid: number;
  /** Kills the server's process immediately, as the kernel does when memory runs out. */
  kill(): Promise<void>;
  /** Starts the server again with the same folder and port. */
  restart(): Promise<void>;
  /** Stops the process and removes its folder. */
  close(): Promise<void>;
}

const script = fileURLToPath(new URL("./clickhouseProcess.ts", import.meta.url));
const host = "127.0.0.1";
const admin = { name: "admin", password: 'a secret of the tests\' "admin" <&>' };
const locked = { name: "locked", password: "another secret" };
const startMs = 60_000;

/**
 * Finds the library that contains the server: an optional chdb package for this platform. The first call in a checkout
 * installs the package.
 * @throws if the platform has no such package, or if npm cannot install it
 */
export async function findClickhouse(): Promise<string> {
  const packages = await findPackages("clickhouse");
  const name = `lib-${platform}-${arch}${platform === "linux" ? "-gnu" : ""}`;
  const library = join(packages, "@chdb", name, "libchdb.so");
  if (!existsSync(library)) throw new Error(`chdb has no package for ${platform} ${arch}`);
  return library;
}

/** The servers of the cluster `pair`, with one shard each, listed by the ports of their native protocol. */
export interface ClickhouseCluster {
  readonly tcpPort: number;
  readonly shardPorts: readonly number[];
}

/** A user that has only the listed rights. */
export interface GrantedUser extends ClickhouseUser {
  /** Statements such as `grant … on …`, without the name of the user. */
  readonly grants: readonly string[];
  /** Whether the user may only read and change settings (`readonly` = 2). */
  readonly isReader?: boolean;
  /** XML of a profile that replaces the default profile. */
  readonly profile?: string;
}

export interface ClickhouseServerOptions {
  readonly cluster?: ClickhouseCluster;
  readonly users?: readonly GrantedUser[];
  /** An empty folder for the server, which the caller removes. By default, the server creates its own folder. */
  readonly folder?: string;
}

/** Starts two servers that form a cluster `pair` of two shards. */
export async function openClickhousePair(
  options: Pick<ClickhouseServerOptions, "users"> = {},
): Promise<readonly OpenClickhouseServer[]> {
  const shardPorts = [await freePort(), await freePort()];
  return Promise.all(
    shardPorts.map((tcpPort) =>
      openClickhouseServer({ ...options, cluster: { tcpPort, shardPorts } }),
    ),
  );
}

/** Starts a server on a free loopback port. The server's time zone is not UTC. */
export async function openClickhouseServer(
  options: ClickhouseServerOptions = {},
): Promise<OpenClickhouseServer> {
  const { cluster, users: granted = [] } = options;
  const library = await findClickhouse();
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "manifold-clickhouse-")));
  const port = await freePort();
  const [dataDir, configuration, users] = ["data", "config.xml", "users.xml"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  await mkdir(dataDir);
  await writeFile(users, usersXml(cluster ? clusterProfile : "", [...clickhouseUsers, ...granted]));
  await writeFile(
    configuration,
    `<clickhouse>
      <listen_host>${host}</listen_host>
      <http_port>${port}</http_port>
      <users_config>${xml(users)}</users_config>
      <logger><level>none</level></logger>
      ${cluster ? clusterXml(cluster) : ""}
    </clickhouse>`,
  );
  const start = () =>
    startProcess([library, configuration, dataDir, ...(cluster ? ["tcp"] : [])], port);
  let child = await start();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    child.ref();
    await ended;
  };
  return {
    host,
    port,
    admin,
    locked,
    get pid() {
      return child.pid ?? 0;
    },
    kill,
    async restart() {
      await kill();
      child = await start();
    },
    async close() {
      await kill();
      if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startProcess(paths: readonly string[], port: number): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ["--experimental-ffi", "--no-warnings", script, ...paths],
    // A time zone with a half-hour offset, to reveal code that relies on the server's time zone.
    { stdio: ["pipe", "ignore", "pipe"], env: { ...process.env, TZ: "Asia/Kolkata" } },
  );
  let output = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output = (output + text).slice(-4000);
  });
  const deadline = Date.now() + startMs;
  while (!(await answers(port))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the ClickHouse test server did not start: ${output}`);
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the ClickHouse test server did not respond within ${startMs} ms`);
    }
    await wait(20);
  }
  // Lets the test process exit when nothing but the server is running.
  child.unref();
  for (const stream of [child.stdin, child.stderr])
    (stream as { unref?(): void } | null)?.unref?.();
  return child;
}

async function answers(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${host}:${port}/ping`);
    return (await response.text()).startsWith("Ok");
  } catch {
    // The server is not ready yet.
    return false;
  }
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, host);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

function clusterXml({ tcpPort, shardPorts }: ClickhouseCluster): string {
  const shards = shardPorts.map(
    (shardPort) =>
      `<shard><replica>
        <host>${host}</host><port>${shardPort}</port>
        <user>${admin.name}</user><password>${xml(admin.password)}</password>
      </replica></shard>`,
  );
  return `<tcp_port>${tcpPort}</tcp_port>
    <remote_servers><pair>${shards.join("")}</pair></remote_servers>`;
}

/** A profile with which answers omit unavailable shards, unless a statement overrides the setting. */
const clusterProfile = "<skip_unavailable_shards>1</skip_unavailable_shards>";

/**
 * Returns the file that defines the server's users. `profile` contains the settings of the users that every server has.
 */
function usersXml(profile: string, granted: readonly GrantedUser[]): string {
  const userXml = ({ name, password }: ClickhouseUser, profile: string) =>
    `<${name}>
      <password>${xml(password)}</password>
      <networks><ip>${host}</ip></networks>
      <profile>${profile}</profile>
      <quota>default</quota>
      <access_management>1</access_management>
    </${name}>`;
  const profileOf = ({ name, isReader, profile }: GrantedUser) =>
    profile !== undefined ? `profile_${name}` : isReader === true ? "reader" : "default";
  const ownProfiles = granted.map(({ name, profile }) =>
    profile === undefined ? "" : `<profile_${name}>${profile}</profile_${name}>`,
  );
  const grantedXml = ({ name, password, grants, ...user }: GrantedUser) =>
    `<${name}>
      <password>${xml(password)}</password>
      <networks><ip>${host}</ip></networks>
      <profile>${profileOf({ name, password, grants, ...user })}</profile>
      <quota>default</quota>
      <grants>${grants.map((grant) => `<query>${xml(grant)}</query>`).join("")}</grants>
    </${name}>`;
  // clickhouse-local runs its own script as the user `default`, without a password.
  return `<clickhouse>
    <profiles><default>${profile}</default><locked><readonly>1</readonly></locked>
      <reader><readonly>2</readonly></reader>${ownProfiles.join("")}</profiles>
    <quotas><default/></quotas>
    <users>
      <default>
        <password></password>
        <networks><ip>${host}</ip></networks>
        <profile>default</profile>
        <quota>default</quota>
      </default>
      ${userXml(admin, "default")}
      ${userXml(locked, "locked")}
      ${granted.map(grantedXml).join("")}
    </users>
  </clickhouse>`;
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

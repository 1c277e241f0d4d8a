import { randomBytes } from "node:crypto";
import { stat } from "node:fs/promises";
import type { CheckedTarget, CheckReport, WireTarget } from "../../../plugins/conformance/index.ts";
import type { Credentials, Plugin, ProtocolVersion } from "../../../plugins/protocol/index.ts";
import { type Egress, openEgress, overHttp } from "../../sources/index.ts";
import { withLegacyRequests } from "./legacyRequests.ts";
import { startFolder } from "./startFolder.ts";
import { credentialsHint, type TargetSettings } from "./targetFlags.ts";

/** A plugin to check or measure, reached over HTTP. */
export interface Target {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  readonly wire: WireTarget;
  readonly shown: CheckedTarget;
  /** Adds requests of the target's protocol version to the findings of a report. */
  withRequests(report: CheckReport): Promise<CheckReport>;
  /** Stops the plugin if this command started it. */
  close(): Promise<void>;
}

const callMs = 60_000;
const answerBytes = 256 * 2 ** 20;

/**
 * Opens a plugin by its URL, or starts the plugin of a folder on loopback.
 * @throws {Error} if the plugin cannot be started or reached, or refuses the secret
 */
export async function openTarget(name: string, settings: TargetSettings): Promise<Target> {
  if (/^https?:\/\//.test(name)) return reach(name, name, settings, async () => {});
  const isFolder = await stat(name).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new Error(`${JSON.stringify(name)} must be an http or https URL, or a folder`);
  // The secret is random, so that the check shows whether the plugin compares it.
  const secret = settings.secret ?? randomBytes(16).toString("hex");
  const started = await startFolder(name, { secret });
  try {
    const target = await reach(name, started.url, { ...settings, secret }, started.close);
    return { ...target, shown: { ...target.shown, isStarted: true } };
  } catch (failure) {
    await started.close();
    throw failure;
  }
}

async function reach(
  name: string,
  address: string,
  { secret, credentials, pushdown, supportsDistinctcount, ...settings }: TargetSettings,
  close: () => Promise<void>,
): Promise<Target> {
  const url = address.replace(/\/+$/, "");
  const { hostname, host, port, protocol } = new URL(url);
  // The person at the terminal chose the address, so it is allowed, as an operator would allow it with
  // MANIFOLD_EGRESS_ALLOW.
  const allowed = port ? host : `${hostname}:${protocol === "https:" ? 443 : 80}`;
  const egress = openEgress({ allow: [allowed], timeoutMs: callMs, sizeBytes: answerBytes });
  const wire = { url, ...(secret !== undefined && { secret }) };
  try {
    const protocolVersion = settings.protocolVersion ?? (await versionOf(wire, egress));
    const remote = {
      slug: "plugin",
      baseUrl: url,
      protocolVersion,
      pushdown,
      supportsDistinctcount,
      ...(secret !== undefined && { secret }),
    };
    const plugin = await overHttp(remote, egress);
    return {
      plugin,
      credentials,
      async withRequests(report) {
        if (protocolVersion === "manifold-1") return report;
        const call = { credentials, signal: new AbortController().signal };
        const datasets = await plugin.datasets(call);
        return withLegacyRequests(report, remote, { egress, datasets, call });
      },
      wire: { ...wire, protocolVersion },
      shown: {
        name,
        url,
        protocolVersion,
        hasSecret: secret !== undefined,
        credentialIds: [
          ...(["host", "key", "token"] as const).filter((id) => credentials[id] !== undefined),
          ...Object.keys(credentials.properties),
        ],
      },
      async close() {
        egress.close();
        await close();
      },
    };
  } catch (failure) {
    egress.close();
    throw failure;
  }
}

/** Detects the newest protocol version that a plugin supports. */
async function versionOf(
  { url, secret }: Pick<WireTarget, "url" | "secret">,
  egress: Egress,
): Promise<ProtocolVersion> {
  const headers = {
    "content-type": "application/json",
    "x-manifold-protocol": "manifold-1",
    ...(secret !== undefined && { "x-secret": secret }),
  };
  const { signal } = new AbortController();
  const call = (method: "GET" | "POST", path: string) =>
    egress.call({
      method,
      url: `${url}${path}`,
      headers,
      signal,
      ...(method === "POST" && { body: "{}" }),
    });
  const capabilities = await call("GET", "/capabilities");
  if (capabilities.status === 200 && /^\s*\{/.test(capabilities.text)) return "manifold-1";
  const isList = ({ status, text }: { readonly status: number; readonly text: string }) =>
    status === 200 && /^\s*\[/.test(text);
  const posted = await call("POST", "/datasets");
  if (isList(posted)) return "3.0.0";
  const listed = await call("GET", "/datasets");
  if (isList(listed)) return "1.1.0";
  const statuses = [posted.status, listed.status];
  if (statuses.includes(401) || statuses.includes(403))
    throw new Error(
      `${url} refuses the secret or the credentials; set PLUGIN_SECRET to its secret, or ${credentialsHint}`,
    );
  const isPage = [capabilities, posted, listed].some(({ text }) => /^\s*</.test(text));
  const what = isPage
    ? "with a web page"
    : `with status ${posted.status} (POST) and ${listed.status} (GET), and not with a JSON array`;
  throw new Error(
    `${url} answers /datasets ${what}; check that it is the base URL of a plugin, as in its record`,
  );
}

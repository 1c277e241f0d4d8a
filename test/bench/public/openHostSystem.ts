import { Agent, request } from "node:http";
import { ownerKey, ownerToken, startHostProcess } from "../../support/hostProcess.ts";
import { apiQueryOf } from "./apiQueryOf.ts";
import { fillHost } from "./fillHost.ts";
import type { PublicPart, PublicQuestion } from "./publicPart.ts";
import type { WrittenTable } from "./systems/publicSystem.ts";

/** A host in its own process, which is asked over HTTP. */
export interface HostSystem {
  readonly pid: number;
  /** Asks a question. `ms` ends when the parsed answer is available. */
  ask(question: PublicQuestion): Promise<{
    readonly ms: number;
    readonly rows: readonly (readonly unknown[])[];
  }>;
  close(): Promise<void>;
}

/** Starts a host without a cache of answers and pushes the tables to it. */
export async function openHostSystem(
  part: PublicPart,
  tables: readonly WrittenTable[],
  dataDir: string,
): Promise<HostSystem> {
  const host = await startHostProcess(dataDir, { MANIFOLD_CACHE_MB: "0" });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const credentials = JSON.stringify({ version: "0.1.0", key: ownerKey, token: ownerToken });
  const head = credentials.slice(0, -1);

  /** Posts a body. Resolves to the parsed answer. */
  const post = (body: string): Promise<unknown> => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const call = request(`${host.url}/0.1.0/data`, { agent, method: "POST", headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200) resolve(JSON.parse(text));
        else reject(new Error(`status ${answer.statusCode}: ${text.slice(0, 500)}`));
      });
    });
    call.on("error", reject);
    call.end(body);
    return promise;
  };
  const close = async () => {
    agent.destroy();
    await host.end("SIGTERM");
  };
  try {
    const push = (properties: Readonly<Record<string, unknown>>, data: string) =>
      post(
        `${head},"action":"create","properties":${JSON.stringify(properties).slice(0, -1)},"data":${data}}}`,
      );
    const datasets = await fillHost({ client: host.client, push, part, tables });
    return {
      pid: host.pid,
      async ask(question) {
        const find = JSON.stringify({ queries: [apiQueryOf(question, part, datasets)] });
        const startedAt = performance.now();
        const answer = await post(`${head},"action":"get","find":${find}}`);
        const ms = performance.now() - startedAt;
        return { ms, rows: (answer as { readonly data: readonly unknown[][] }).data };
      },
      close,
    };
  } catch (failure) {
    await close();
    throw failure;
  }
}

import { createClient, type Client } from "../../core/web/client/index.ts";
import { ownerKey, ownerToken, type HostProcess } from "../support/hostProcess.ts";

export interface Load {
  /** The hosts that currently accept calls. */
  readonly hosts: ReadonlySet<HostProcess>;
  readonly query: (client: Client) => Promise<unknown>;
  readonly push: (client: Client) => Promise<unknown>;
}

/** Calls the hosts in rotation, with four calls at a time, until `until` resolves. No call is sent twice. */
export async function underLoad({ hosts, query, push }: Load, until: Promise<unknown>) {
  let isOver = false;
  const counts = { queried: 0, pushed: 0 };
  const failures: string[] = [];
  const work = Array.from({ length: 4 }, async (_, worker) => {
    for (let turn = worker; !isOver; turn++) {
      const { url } = [...hosts][turn % hosts.size] ?? { url: "no host" };
      const client = createClient({ url, key: ownerKey, token: ownerToken, retryCount: 0 });
      const isPush = turn % 5 === 0;
      try {
        await (isPush ? push(client) : query(client));
        counts[isPush ? "pushed" : "queried"] += 1;
      } catch (failure) {
        failures.push(`${url}: ${String(failure)}`);
      }
    }
  });
  await until;
  isOver = true;
  await Promise.all(work);
  return { ...counts, failures };
}

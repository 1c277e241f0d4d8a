/**
 * Runs the jobs of a host in a separate process, over a catalog that other processes share. This process answers
 * queries from a table in its memory. On request, the process kills itself at a step of its work, like `kill -9`,
 * without closing anything. Arguments: the URL of the catalog, the URL of the mail server, and the maximum number of
 * evaluations per minute that a channel reports as separate messages.
 */
import { tmpdir } from "node:os";
import { createPrincipals } from "../../../../core/identity/access/index.ts";
import { createCipher, openCatalog } from "../../../../core/catalog/index.ts";
import { openEgress } from "../../../../core/sources/connections/index.ts";
import type { Records } from "../../../../core/base/contracts/index.ts";
import { openJobs } from "../../../../core/jobs/index.ts";
import type { QueryAnswer } from "../../../../core/queries/index.ts";
import { openRecords } from "../../../../core/resources/index.ts";
import { createPlainConnections } from "../../../support/plainConnections.ts";
import { createPlainPlugin } from "../../../support/plainPlugin.ts";
import { silentLog } from "../../../support/testServer.ts";
import { type Order, secret } from "./faultSteps.ts";
import { noExports } from "../../../support/noExports.ts";

const [databaseUrl = "", smtpUrl = "", digestAfter = "Infinity"] = process.argv.slice(2);
const cipher = createCipher(secret);
const catalog = await openCatalog({ databaseUrl, dataDir: tmpdir(), log: silentLog });
const knexes = [catalog.knex, catalog.transactions];
const records = openRecords({ catalog, cipher });

let order: Order | undefined;
let aheadMs = 0;
const reached = (step: Order["step"]): void => {
  if (order?.step !== step || order.after-- > 0) return;
  process.kill(process.pid, "SIGKILL");
};

/** Kills the process right after the commit that records an evaluation or the outcome of a delivery. */
const watched: Records = {
  ...records,
  async transaction(run) {
    let step: Order["step"] | undefined;
    const done = await records.transaction(async (transaction) => {
      transaction.on("query", ({ sql }: { readonly sql: string }) => {
        if (sql.includes('insert into "alertevent"')) step = "recorded";
        else if (sql.includes('update "delivery"')) step ??= "acknowledged";
      });
      return run(transaction);
    });
    if (step) reached(step);
    return done;
  },
};

const plugin = createPlainPlugin();
const noDataset = () => Promise.reject(new Error("the catalog has no dataset"));
const answer = { data: [["Lille", 120]] } as unknown as QueryAnswer;
const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 5_000, sizeBytes: 2 ** 16 });
const jobs = await openJobs({
  knex: catalog.transactions,
  records: watched,
  cipher,
  egresses: { ofHost: egress, ofUser: () => Promise.resolve(egress) },
  mail: { smtpUrl, from: "Manifold <alerts@example.org>" },
  publicUrl: () => "http://127.0.0.1",
  log: silentLog,
  principals: createPrincipals({ catalog, cipher }),
  queries: {
    async evaluate() {
      reached("claimed");
      await new Promise((resolve) => setImmediate(resolve));
      reached("evaluated");
      return answer;
    },
  },
  connections: createPlainConnections({ store: plugin, scratch: plugin }),
  accelerate: noDataset,
  synchronize: noDataset,
  exportWork: noExports,
  now: () => Date.now() + aheadMs,
  pace: {
    pollS: 0.2,
    superviseS: 1,
    heartbeatS: 10,
    jitterMs: 0,
    digestAfter: Number(digestAfter),
    digestMs: 300,
  },
});

type Told = Order | "close" | "memory" | { readonly aheadMs: number };

process.on("message", (told: Told) => {
  if (told === "memory") process.send?.({ residentBytes: process.memoryUsage().rss });
  else if (told === "close")
    void jobs
      .close()
      .then(() => Promise.all(knexes.map((knex) => knex.destroy())))
      .then(() => process.exit(0));
  else if ("aheadMs" in told) {
    ({ aheadMs } = told);
    void jobs.look().then(() => process.send?.("looked"));
  } else order = told;
});
process.send?.("ready");

/**
 * How long does the conformance kit take for 5,000 queries to a plugin on loopback? The plugin runs in a separate
 * process and keeps 120 rows in arrays, so that most of the time is spent in the kit. A slower source or more rows
 * would increase the figure. `QUERIES` sets another number of queries.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { checkPlugin } from "../../plugins/conformance/index.ts";
import { openEgress, overHttp } from "../../core/sources/connections/index.ts";

const queryCount = Number(process.env["QUERIES"] ?? 5000);
const child = fork(new URL("./servePlanted.ts", import.meta.url), { stdio: "inherit" });
try {
  const [url] = (await once(child, "message")) as [string];
  const egress = openEgress({ allow: ["127.0.0.1"], timeoutMs: 60_000, sizeBytes: 2 ** 26 });
  const remote = { slug: "bench", baseUrl: url, pushdown: false, supportsDistinctcount: false };
  const plugin = await overHttp({ ...remote, protocolVersion: "manifold-1" }, egress);
  const startMs = performance.now();
  const report = await checkPlugin({ plugin, seed: 1, queryCount });
  const seconds = (performance.now() - startMs) / 1000;
  egress.close();
  if (!report.isPassed) throw new Error("the honest plugin failed the kit");
  const each = (seconds * 1000) / report.queryCount;
  process.stdout.write(
    `${report.queryCount} queries in ${seconds.toFixed(1)} s, ${each.toFixed(2)} ms each\n`,
  );
} finally {
  child.kill("SIGTERM");
}

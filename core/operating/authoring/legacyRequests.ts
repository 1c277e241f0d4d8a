import type { CheckReport, Finding } from "../../../plugins/conformance/index.ts";
import type { Call, Dataset, Plugin, Query } from "../../../plugins/protocol/index.ts";
import { type Egress, type EgressCall, overHttp } from "../../sources/index.ts";

type RemotePlugin = Parameters<typeof overHttp>[0];

/** Thrown to stop a call once its request is known. */
class Seen extends Error {
  override readonly name = "Seen";
  readonly call: EgressCall;

  constructor(call: EgressCall) {
    super("the request was recorded but not sent");
    this.call = call;
  }
}

/**
 * Adds requests of a numbered protocol version to the findings of a report, as the host's adapter would write them. If
 * the adapter refuses the query of a finding, the finding stays unchanged. Sends no request.
 */
export async function withLegacyRequests(
  report: CheckReport,
  remote: RemotePlugin,
  {
    egress,
    datasets,
    call,
  }: { readonly egress: Egress; readonly datasets: readonly Dataset[]; readonly call: Call },
): Promise<CheckReport> {
  const plugin = await overHttp(remote, {
    ...egress,
    call: (request) => Promise.reject(new Seen(request)),
  });
  const add = async (finding: Finding): Promise<Finding> => {
    if (finding.request || !finding.query) return finding;
    const body = await bodyOf(finding.query, plugin, datasets, call);
    return body === undefined
      ? finding
      : { ...finding, request: { method: "POST", path: "/query", body } };
  };
  const addAll = (findings: readonly Finding[]) => Promise.all(findings.map(add));
  const claims = report.claims.map(async (claim) => ({
    ...claim,
    findings: await addAll(claim.findings),
  }));
  return {
    ...report,
    claims: await Promise.all(claims),
    findings: await addAll(report.findings),
  };
}

async function bodyOf(
  query: Query,
  plugin: Plugin,
  datasets: readonly Dataset[],
  call: Call,
): Promise<string | undefined> {
  const dataset = datasets.find(({ id }) => id === query.id);
  const outcome = await plugin.query({ ...call, query, ...(dataset && { dataset }) }).then(
    () => undefined,
    (failure: unknown) => failure,
  );
  const seen = [outcome, outcome instanceof Error ? outcome.cause : undefined].find(
    (each) => each instanceof Seen,
  );
  return seen?.call.body;
}

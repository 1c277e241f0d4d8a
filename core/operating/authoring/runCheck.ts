import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  badge,
  capabilityTable,
  causesOf,
  type CheckedTarget,
  checkPlugin,
  type CheckReport,
  htmlReport,
  junitReport,
  summaryOf,
  textReport,
} from "../../../plugins/conformance/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { openTarget } from "./openTarget.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { credentialsHint, readTargetFlags, targetFlags } from "./targetFlags.ts";
import { oneArgument } from "./oneArgument.ts";

const flags = {
  ...targetFlags,
  seed: { type: "string" },
  queries: { type: "string" },
  rows: { type: "string" },
  report: { type: "string" },
  output: { type: "string" },
  badge: { type: "string" },
  table: { type: "string" },
} as const;

const forms: Readonly<Record<string, (report: CheckReport, target: CheckedTarget) => string>> = {
  text: textReport,
  html: htmlReport,
  junit: junitReport,
  json: (report, target) =>
    `${JSON.stringify({ target, ...report, causes: causesOf(report) }, undefined, 2)}\n`,
};

/**
 * Runs `manifold plugin check`. Returns the exit status: 0 if there are no findings, and otherwise 1.
 * @throws {Error} for an invalid argument, a plugin that cannot be reached or started, credentials that the plugin
 * refuses, and a plugin without rows to check
 */
export async function runCheck(args: readonly string[], io: PluginCommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const name = oneArgument(positionals, "plugin check requires one URL or one folder");
  const { report: form = "text", output } = values;
  const write = Object.hasOwn(forms, form) ? forms[form] : undefined;
  if (!write)
    throw new Error(`--report must be text, html, json or junit, not ${JSON.stringify(form)}`);
  const seed = wholeNumber("--seed", values.seed, 0);
  const queryCount = wholeNumber("--queries", values.queries, 1);
  const mostRows = wholeNumber("--rows", values.rows, 1);
  const target = await openTarget(name, readTargetFlags(values, io.environment));
  try {
    const checked = await checkPlugin({
      plugin: target.plugin,
      credentials: target.credentials,
      wire: target.wire,
      checksUnclaimed: target.wire.protocolVersion === "manifold-1",
      ...(seed !== undefined && { seed }),
      ...(queryCount !== undefined && { queryCount }),
      ...(mostRows !== undefined && { mostRows }),
    }).catch((failure: unknown) => {
      throw failure instanceof PluginError && failure.code === "PLUGIN_FORBIDDEN"
        ? new Error(`${failure.message}; ${credentialsHint}`, { cause: failure })
        : failure;
    });
    const report = await target.withRequests(checked);
    const shown = write(report, target.shown);
    if (output === undefined) io.write(shown);
    else await writeFile(output, shown);
    if (output !== undefined) io.note(`${summaryOf(report)}; the report is in ${output}`);
    if (values.badge !== undefined) await writeFile(values.badge, badge(report));
    if (values.table !== undefined) await writeFile(values.table, capabilityTable(report));
    if (
      report.isPassed &&
      !report.claims.some(({ claim, queryCount: count }) => isOfRows(claim, count))
    )
      throw new Error(
        `nothing was checked, because no dataset has rows to check: ${report.notes.join("; ")}`,
      );
    return report.isPassed ? 0 : 1;
  } finally {
    await target.close();
  }
}

/** Returns whether a claim is about the rows of a dataset, and was tested. */
const isOfRows = (claim: string, queryCount: number): boolean =>
  queryCount > 0 && !claim.startsWith("wire.");

function wholeNumber(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least)
    throw new Error(
      `${flag} must be a whole number of ${least} or more, not ${JSON.stringify(text)}`,
    );
  return value;
}

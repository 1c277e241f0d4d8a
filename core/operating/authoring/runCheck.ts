import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  badge,
  capabilityTable,
  type CheckedTarget,
  checkPlugin,
  type CheckReport,
  htmlReport,
  junitReport,
  summaryOf,
  textReport,
} from "../../../plugins/conformance/index.ts";
import { openTarget } from "./openTarget.ts";
import type { PluginCommandIo } from "./commandIo.ts";
import { readTargetFlags, targetFlags } from "./targetFlags.ts";
import { oneArgument } from "./oneArgument.ts";

const flags = {
  ...targetFlags,
  seed: { type: "string" },
  queries: { type: "string" },
  report: { type: "string" },
  output: { type: "string" },
  badge: { type: "string" },
  table: { type: "string" },
} as const;

const forms: Readonly<Record<string, (report: CheckReport, target: CheckedTarget) => string>> = {
  text: textReport,
  html: htmlReport,
  junit: junitReport,
  json: (report, target) => `${JSON.stringify({ target, ...report }, undefined, 2)}\n`,
};

/**
 * Runs `manifold plugin check`. Returns the exit status: 0 if there are no findings, and otherwise 1.
 * @throws {Error} for an invalid argument, and a plugin that cannot be reached or started
 */
export async function runCheck(args: readonly string[], io: PluginCommandIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const name = oneArgument(positionals, "plugin check takes one URL or one folder");
  const { report: form = "text", output } = values;
  const write = Object.hasOwn(forms, form) ? forms[form] : undefined;
  if (!write)
    throw new Error(`--report must be text, html, json or junit, not ${JSON.stringify(form)}`);
  const seed = wholeNumber("--seed", values.seed, 0);
  const queryCount = wholeNumber("--queries", values.queries, 1);
  const target = await openTarget(name, readTargetFlags(values, io.environment));
  try {
    const checked = await checkPlugin({
      plugin: target.plugin,
      credentials: target.credentials,
      wire: target.wire,
      checksUnclaimed: target.wire.protocolVersion === "manifold-1",
      ...(seed !== undefined && { seed }),
      ...(queryCount !== undefined && { queryCount }),
    });
    const report = await target.withRequests(checked);
    const shown = write(report, target.shown);
    if (output === undefined) io.write(shown);
    else await writeFile(output, shown);
    if (output !== undefined) io.note(`${summaryOf(report)}; the report is in ${output}`);
    if (values.badge !== undefined) await writeFile(values.badge, badge(report));
    if (values.table !== undefined) await writeFile(values.table, capabilityTable(report));
    if (Object.keys(report.rowCounts).length === 0 && report.isPassed)
      throw new Error("nothing was checked, because no dataset could be read");
    return report.isPassed ? 0 : 1;
  } finally {
    await target.close();
  }
}

function wholeNumber(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least)
    throw new Error(
      `${flag} must be a whole number of ${least} or more, not ${JSON.stringify(text)}`,
    );
  return value;
}

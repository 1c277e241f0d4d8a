import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse, stringify } from "yaml";
import { needsPromtool, runPromtool } from "../../../support/promtool.ts";
import { suite } from "../../../support/suite.ts";

const folder = join(import.meta.dirname, "../../../../docs/operations");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
}

interface Case {
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts?: readonly unknown[];
  }[];
}

const { groups } = parse(read("alerts.yml")) as {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** Runs promtool with changed rules, in a separate folder, and with the product's test cases. */
function withRules(changed: readonly object[], ...words: readonly string[]) {
  const own = mkdtempSync(join(tmpdir(), "rules-"));
  try {
    writeFileSync(
      join(own, "alerts.yml"),
      stringify({ groups: [{ name: "changed", rules: changed }] }),
    );
    writeFileSync(join(own, "alerts.test.yml"), read("alerts.test.yml"));
    return runPromtool(own, ...words);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Multiplies the number at the start of each match of `pattern`. */
const times = (text: string, pattern: RegExp, factor: number) =>
  text.replace(pattern, (_all, before: string, number: string, after: string) =>
    [before, Number(number) * factor, after].join(""),
  );
const threshold = /(> )([\d.]+)()/g;
const span = /()(\d+)([mh]\b)/g;

/** Mistakes that a person could make in editing a rule. */
const faults: Readonly<Record<string, (rule: Rule) => Rule>> = {
  "a threshold twice as high": (rule) => ({ ...rule, expr: times(rule.expr, threshold, 2) }),
  "a threshold half as high": (rule) => ({ ...rule, expr: times(rule.expr, threshold, 0.5) }),
  "windows three times as long": (rule) => ({
    ...rule,
    expr: rule.expr.replaceAll(/\[(\w+)\]/g, (window) => times(window, span, 3)),
  }),
  "no `for`": (rule) => ({ ...rule, for: "0m" }),
  "a `for` twice as long": (rule) => ({ ...rule, for: times(rule.for, span, 2) }),
};

suite(
  "core/base/operations/evaluatedRules",
  (test) => {
    test("Prometheus accepts the alerting rules", () => {
      const { hasSucceeded, output } = runPromtool(folder, "check", "rules", "alerts.yml");
      assert.ok(hasSucceeded, output);
      assert.match(output, `${rules.length} rules found`);
    });

    test("each alerting rule fires only under its condition, after its delay and with its labels", () => {
      const { hasSucceeded, output } = runPromtool(folder, "test", "rules", "alerts.test.yml");
      assert.ok(hasSucceeded, output);
      const { tests } = parse(read("alerts.test.yml")) as { readonly tests: readonly Case[] };
      const moments = tests.flatMap((each) => each.alert_rule_test);
      for (const { alert } of rules)
        for (const fires of [true, false]) {
          const isMeant = ({ alertname, exp_alerts: expected = [] }: (typeof moments)[number]) =>
            alertname === alert && expected.length > 0 === fires;
          assert.ok(
            moments.some(isMeant),
            `${alert} has no case in which it ${fires ? "fires" : "stays silent"}`,
          );
        }
    });

    for (const [fault, make] of Object.entries(faults))
      test.deep(`at least one test case fails for an alerting rule with ${fault}`, () => {
        const changed = rules.map(make);
        const { output } = withRules(changed, "test", "rules", "alerts.test.yml");
        const isFound = ({ alert }: Rule) => output.includes(`alertname: ${alert},`);
        const meant = rules.filter((rule, place) => {
          const other = changed[place];
          return other?.expr !== rule.expr || other.for !== rule.for;
        });
        assert.ok(meant.length > 0);
        const missed = meant.filter((rule) => !isFound(rule)).map(({ alert }) => alert);
        assert.equal(missed, []);
      });

    test("Prometheus accepts every expression in the dashboard", () => {
      const { panels } = JSON.parse(read("dashboard.json")) as {
        readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
      };
      const shown = panels.flatMap(({ targets }) => targets);
      const records = shown.map(({ expr }, place) => ({
        record: `panel_${place}`,
        // Grafana replaces this variable with the interval.
        expr: expr.replaceAll("$__rate_interval", "5m"),
      }));
      const { hasSucceeded, output } = withRules(records, "check", "rules", "alerts.yml");
      assert.ok(hasSucceeded, output);
      assert.match(output, `${shown.length} rules found`);
      const broken = [...records, { record: "broken", expr: "sum(rate(manifold_jobs))" }];
      assert.not.ok(withRules(broken, "check", "rules", "alerts.yml").hasSucceeded);
    });
  },
  needsPromtool,
);

import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Failure } from "./runTests.ts";

/** The findings about a mutant. */
export interface Finding {
  readonly mutant: Mutant;
  /** The test file that killed it in another version, to run first. */
  readonly formerKiller?: string;
  /** Test files that pass with it. */
  readonly passed: ReadonlySet<string>;
  readonly killedBy?: Failure;
  /** All test files passed. */
  readonly isWhole?: boolean;
  /** Why no test can see it: a person's judgement. */
  readonly equivalent?: string;
}

/** Lines of a record: each adds to what is known. */
type Entry =
  | { readonly mutant: Mutant; readonly formerKiller?: string }
  | { readonly ids: readonly string[]; readonly passed: string }
  | { readonly id: string; readonly killedBy: Failure }
  | { readonly id: string; readonly equivalent: string }
  | { readonly whole: readonly string[] };

/** A file of findings, which a later run continues. */
export interface Record {
  readonly findings: ReadonlyMap<string, Finding>;
  add(entry: Entry): void;
}

/** Opens a record, which is empty when its file does not exist. */
export function openRecord(path: string): Record {
  const findings = new Map<string, Finding>();
  const change = (id: string, to: Partial<Finding>) => {
    const finding = findings.get(id);
    if (finding) findings.set(id, { ...finding, ...to });
  };
  const take = (entry: Entry) => {
    if ("mutant" in entry) findings.set(entry.mutant.id, { ...entry, passed: new Set() });
    else if ("passed" in entry)
      for (const id of entry.ids)
        change(id, {
          passed: new Set([...(findings.get(id)?.passed ?? []), entry.passed]),
        });
    else if ("whole" in entry) for (const id of entry.whole) change(id, { isWhole: true });
    else if ("killedBy" in entry) change(entry.id, { killedBy: entry.killedBy });
    else change(entry.id, { equivalent: entry.equivalent });
  };
  mkdirSync(dirname(path), { recursive: true });
  if (existsSync(path))
    for (const line of readFileSync(path, "utf8").split("\n"))
      if (line.endsWith("}")) take(JSON.parse(line) as Entry);
  return {
    findings,
    add(entry) {
      take(entry);
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
    },
  };
}

/** Returns the table of a record, and the list of its survivors, in Markdown. */
export function renderRecord({ findings }: Pick<Record, "findings">): string {
  const all = [...findings.values()];
  const row = (name: string, of: readonly Finding[]) => {
    const count = (wanted: (finding: Finding) => unknown) => of.filter(wanted).length;
    const killed = count(({ killedBy }) => killedBy);
    const equivalent = count(({ killedBy, equivalent }) => !killedBy && equivalent);
    const survived = count((each) => !each.killedBy && !each.equivalent && each.isWhole);
    const unknown = of.length - killed - equivalent - survived;
    const killable = of.length - equivalent;
    const share = killable === 0 ? "" : `${((100 * killed) / killable).toFixed(0)} %`;
    return `| ${[name, of.length, killed, survived, equivalent, unknown, share].join(" | ")} |`;
  };
  const areas = [...Map.groupBy(all, ({ mutant }) => mutant.area)];
  const left = all.filter(({ killedBy }) => !killedBy);
  const shown = (text: string) => text.replaceAll(/\s+/g, " ").trim();
  return [
    "| area | mutants | killed | survived | equivalent | not all tests ran | killed of those not equivalent |",
    "|---|---|---|---|---|---|---|",
    ...areas.map(([area, of]) => row(area, of)),
    row("all", all),
    "",
    ...left.map(
      ({ mutant, equivalent, isWhole }) =>
        `- ${mutant.id}: \`${shown(mutant.original)}\` → \`${shown(mutant.replacement)}\`${
          equivalent ? `, equivalent: ${equivalent}` : isWhole ? "" : ", not all tests ran"
        }`,
    ),
    "",
  ].join("\n");
}

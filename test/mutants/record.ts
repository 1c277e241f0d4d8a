import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Failure } from "./runTests.ts";

/** A mutant with everything that test runs have shown about it. */
export interface Verdict {
  readonly mutant: Mutant;
  /** The test file that killed the mutant in another version. This file runs first. */
  readonly formerKiller?: string;
  /** Test files that pass with the mutant. */
  readonly passed: ReadonlySet<string>;
  readonly killedBy?: Failure;
  /** Whether all test files have run with the mutant and passed. */
  readonly isWhole?: boolean;
  /** The reason why no test can detect the mutant, as stated by a person. */
  readonly equivalent?: string;
}

/** A line of a record. It adds one fact about a mutant. */
type Entry =
  | { readonly mutant: Mutant; readonly formerKiller?: string }
  | { readonly ids: readonly string[]; readonly passed: string }
  | { readonly id: string; readonly killedBy: Failure }
  | { readonly id: string; readonly equivalent: string }
  | { readonly whole: readonly string[] };

/** A file with the verdicts on mutants. Later runs add to it. */
export interface Record {
  readonly verdicts: ReadonlyMap<string, Verdict>;
  add(entry: Entry): void;
}

/** Opens a record. The record is empty if the file does not exist. */
export function openRecord(path: string): Record {
  const verdicts = new Map<string, Verdict>();
  const change = (id: string, to: Partial<Verdict>) => {
    const verdict = verdicts.get(id);
    if (verdict) verdicts.set(id, { ...verdict, ...to });
  };
  const take = (entry: Entry) => {
    if ("mutant" in entry) verdicts.set(entry.mutant.id, { ...entry, passed: new Set() });
    else if ("passed" in entry)
      for (const id of entry.ids)
        change(id, {
          passed: new Set([...(verdicts.get(id)?.passed ?? []), entry.passed]),
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
    verdicts,
    add(entry) {
      take(entry);
      appendFileSync(path, `${JSON.stringify(entry)}\n`);
    },
  };
}

/** Renders the table of a record and the list of its survivors as Markdown. */
export function renderRecord({ verdicts }: Pick<Record, "verdicts">): string {
  const all = [...verdicts.values()];
  const row = (name: string, of: readonly Verdict[]) => {
    const count = (wanted: (verdict: Verdict) => unknown) => of.filter(wanted).length;
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

import { parseArgs } from "node:util";

/** The parts of the bench to run, and their sizes. */
export interface ConnectorsOptions {
  /** The number of rows from `--rows`. If it is undefined, each part uses its own default. */
  readonly rowCount: number | undefined;
  readonly rounds: number | undefined;
  isWanted(part: string): boolean;
}

/** Reads `--rows 300k|10m`, `--repeats n` and `--only connectors:part`. */
export function readOptions(): ConnectorsOptions {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { rows: text, repeats: text, only: text },
    strict: false,
  });
  const parts = String(values.only ?? "")
    .split(",")
    .map((each) => each.split(":")[1] ?? "");
  const wanted = values.rows === undefined ? undefined : String(values.rows);
  const scale = { k: 1e3, m: 1e6 }[wanted?.at(-1) ?? ""] ?? 1;
  return {
    rowCount: wanted === undefined ? undefined : Number.parseFloat(wanted) * scale,
    rounds: values.repeats === undefined ? undefined : Number(values.repeats),
    isWanted: (part) => parts.some((each) => each === "" || each === part),
  };
}

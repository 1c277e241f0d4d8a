import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isObject, messageOf } from "../../base/index.ts";
import { type Ask, createAsk, type Pair } from "./asker.ts";
import { textReport } from "./present.ts";
import { readSecrets } from "./readSecrets.ts";
import type { IsolationReport } from "./isolationReport.ts";
import { verifyIsolation } from "./verifyIsolation.ts";

/** The surroundings of the command. */
export interface IsolationIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes text for the standard output. */
  readonly write: (text: string) => void;
  /** Takes a line for people, which is not part of a report. */
  readonly note: (line: string) => void;
  readonly input?: NodeJS.ReadableStream;
}

/** The help of the command, as lines. */
export const isolationUsage = [
  "manifold verify-isolation KEY_A KEY_B",
  "                           asks the same through two tokens and compares what each sees with what its filters",
  "                           allow; status 0 no leak, 1 a leak, 2 not everything could be compared",
  "    --secrets FILE         lines KEY TOKEN, and issuer KEY TOKEN; - reads standard input. Or MANIFOLD_TOKEN_A and",
  "                           MANIFOLD_TOKEN_B, and MANIFOLD_KEY and MANIFOLD_TOKEN of who issued both",
  "    --url URL              [MANIFOLD_URL, else http://127.0.0.1:4000]",
  "    --seed N --questions N the same seed asks the same [20 random questions of each dataset]",
  "    --rows N               datasets with more rows are not compared [100000]",
  "    --report FORM          text or json; --output FILE writes it there",
] as const;

const flags = {
  secrets: { type: "string" },
  url: { type: "string" },
  seed: { type: "string" },
  questions: { type: "string" },
  rows: { type: "string" },
  report: { type: "string" },
  output: { type: "string" },
} as const;

const forms: Readonly<Record<string, (report: IsolationReport) => string>> = {
  text: textReport,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
};

/**
 * Runs `manifold verify-isolation` and answers the status of the process: 0 without a leak, 1 with one, 2 when not
 * everything could be compared.
 */
export async function runVerifyIsolation(
  args: readonly string[],
  io: IsolationIo,
): Promise<number> {
  try {
    return await verify(args, io);
  } catch (failure) {
    io.note(`manifold: ${messageOf(failure)}`);
    return 2;
  }
}

async function verify(args: readonly string[], io: IsolationIo): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: flags,
    allowPositionals: true,
  });
  const [a, b, ...others] = positionals;
  if (a === undefined || b === undefined || others.length > 0)
    throw new Error("verify-isolation takes the keys of two tokens");
  const write = Object.hasOwn(forms, values.report ?? "text")
    ? forms[values.report ?? "text"]
    : undefined;
  if (!write) throw new Error(`--report is text or json, not ${JSON.stringify(values.report)}`);
  const { secrets: file } = values;
  const secrets = await readSecrets(file, [a, b], io.environment, io.input);
  const given = values.url ?? io.environment["MANIFOLD_URL"] ?? "http://127.0.0.1:4000";
  if (!URL.canParse(given)) throw new Error(`--url is an address, not ${JSON.stringify(given)}`);
  const url = given.replace(/\/+$/, "");
  const admin = secrets.admin && createAsk(url, secrets.admin);
  const tokens = [];
  for (const key of [a.toLowerCase(), b.toLowerCase()]) {
    const pair = await pairOf(key, secrets.byKey.get(key), admin);
    tokens.push({ key, ask: createAsk(url, pair) });
  }
  const report = await verifyIsolation({
    ...(admin && { admin }),
    tokens,
    seed: wholeNumber("--seed", values.seed, 0) ?? 1,
    questionCount: wholeNumber("--questions", values.questions, 0) ?? 20,
    rowCount: wholeNumber("--rows", values.rows, 1) ?? 100_000,
  });
  const shown = write(report);
  if (values.output === undefined) io.write(shown);
  else await writeFile(values.output, shown);
  if (report.leaks.length > 0) return 1;
  if (report.datasetCount === 0) {
    io.note("manifold: neither token reaches a dataset, so that no row was compared");
    return 2;
  }
  return report.gaps.length > 0 ? 2 : 0;
}

/** The pair of a token; without its secret, one by which its issuer sees the same. */
async function pairOf(
  key: string,
  secret: string | undefined,
  admin: Ask | undefined,
): Promise<Pair> {
  if (secret !== undefined) return { key, token: secret };
  if (!admin)
    throw new Error(
      `there is no secret of ${key}; give --secrets, MANIFOLD_TOKEN_A and MANIFOLD_TOKEN_B`,
    );
  const options = { token: true, limit: 1 };
  const { status, body } = await admin("authorization", { action: "explain", id: key, options });
  if (status !== 200)
    throw new Error(`the issuer cannot see as ${key} (status ${status}); give its secret`);
  const pair = isObject<"token">(body) ? body.token : undefined;
  if (!isObject<"id" | "token">(pair))
    throw new Error(`the host made no key pair to see as ${key}`);
  return { key: String(pair.id), token: String(pair.token) };
}

function wholeNumber(flag: string, text: string | undefined, least: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least)
    throw new Error(`${flag} is a whole number from ${least}, not ${JSON.stringify(text)}`);
  return value;
}

import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { isObject, codeOf, messageOf } from "../../base/index.ts";
import { type Call, createCall, type Pair } from "./createCall.ts";
import { textReport } from "./present.ts";
import { readSecrets } from "./readSecrets.ts";
import type { IsolationReport } from "./isolationReport.ts";
import { verifyIsolation } from "./verifyIsolation.ts";

/** The environment of the command, and where its output goes. */
export interface IsolationIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes text to the standard output. */
  readonly write: (text: string) => void;
  /** Writes a message for people that is not part of a report. */
  readonly note: (line: string) => void;
  readonly input?: NodeJS.ReadableStream;
}

/** The help of `manifold verify-isolation`, one string per line. */
export const isolationUsage = [
  "manifold verify-isolation KEY_A KEY_B",
  "                           sends the same queries with two tokens, and compares the rows of each token with what its",
  "                           filters allow; exits with 0 (no leak), 1 (a leak) or 2 (some data could not be compared)",
  "    --secrets FILE         lines KEY TOKEN, and issuer KEY TOKEN; - reads standard input. Or MANIFOLD_TOKEN_A and",
  "                           MANIFOLD_TOKEN_B, and MANIFOLD_KEY and MANIFOLD_TOKEN of the issuer of both",
  "    --url URL              [MANIFOLD_URL, else http://127.0.0.1:4000]",
  "    --seed N --questions N the same seed sends the same queries [20 random ones per dataset]",
  "    --rows N               datasets with more rows are not compared [100000]",
  "    --report FORM          text or json; --output FILE writes it to a file",
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
 * Runs `manifold verify-isolation` and returns the exit status: 0 if no leak was found, 1 if a leak was found, or 2 if
 * some data could not be compared.
 */
export async function runVerifyIsolation(
  args: readonly string[],
  io: IsolationIo,
): Promise<number> {
  try {
    return await verify(args, io);
  } catch (failure) {
    // The program names the option that was probably meant.
    if (codeOf(failure) === "ERR_PARSE_ARGS_UNKNOWN_OPTION") throw failure;
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
    throw new Error("verify-isolation requires the keys of two tokens");
  const write = Object.hasOwn(forms, values.report ?? "text")
    ? forms[values.report ?? "text"]
    : undefined;
  if (!write)
    throw new Error(`--report must be text or json, not ${JSON.stringify(values.report)}`);
  const { secrets: file } = values;
  const secrets = await readSecrets(file, [a, b], io.environment, io.input);
  const given = values.url ?? io.environment["MANIFOLD_URL"] ?? "http://127.0.0.1:4000";
  if (!URL.canParse(given)) throw new Error(`--url must be a URL, not ${JSON.stringify(given)}`);
  const url = given.replace(/\/+$/, "");
  const admin = secrets.admin && createCall(url, secrets.admin);
  const tokens = [];
  for (const key of [a.toLowerCase(), b.toLowerCase()]) {
    const pair = await pairOf(key, secrets.byKey.get(key), admin);
    tokens.push({ key, call: createCall(url, pair) });
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
    io.note("manifold: neither token reaches a dataset, so no rows were compared");
    return 2;
  }
  return report.gaps.length > 0 ? 2 : 0;
}

/**
 * Returns the key pair of a token. If the token's secret is unknown, returns a key pair with which the issuer sees the
 * same data as the token.
 */
async function pairOf(
  key: string,
  secret: string | undefined,
  admin: Call | undefined,
): Promise<Pair> {
  if (secret !== undefined) return { key, token: secret };
  if (!admin)
    throw new Error(
      `the secret of ${key} is missing; set --secrets, or MANIFOLD_TOKEN_A and MANIFOLD_TOKEN_B`,
    );
  const options = { token: true, limit: 1 };
  const { status, body } = await admin("authorization", { action: "explain", id: key, options });
  if (status !== 200)
    throw new Error(
      `the issuer cannot view the data as the token ${key} (status ${status}); provide the secret of the token`,
    );
  const pair = isObject<"token">(body) ? body.token : undefined;
  if (!isObject<"id" | "token">(pair))
    throw new Error(`the host did not create a key pair to view the data as the token ${key}`);
  return { key: String(pair.id), token: String(pair.token) };
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

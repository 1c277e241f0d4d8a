import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { root } from "../../docs/.vitepress/pages.ts";
import { blocksFor, placeOf, type Block } from "./readBlocks.ts";

const run = promisify(execFile);

/** The page whose blocks run before the blocks of every other how-to page. */
export const preparation = "docs/how-to/SET_UP.md";

/** A host and the caller of the pages. */
export interface HowToCaller {
  readonly url: string;
  readonly key: string;
  readonly token: string;
  /** Addresses that the pages name, and the addresses of the test's servers that replace them. */
  readonly replaced?: Readonly<Record<string, string>>;
}

/** An answer of the host to a call of a block. */
export interface Answered {
  readonly block: Block;
  readonly body: unknown;
}

/** Parses an answer that is JSON. Returns the text of any other answer, such as a picture. */
const valueOf = (text: string): unknown => (/^\s*[{[]/.test(text) ? JSON.parse(text) : text);

/** Returns the blocks in a language that a how-to page needs, in their order. */
function programOf(page: string, language: string): readonly Block[] {
  const pages = page === preparation ? [page] : [preparation, page];
  return pages
    .flatMap((each) => blocksFor(each, "howTo"))
    .filter((block) => block.language === language);
}

/**
 * Returns the blocks of a page's program as one file of TypeScript. The file records on `globalThis` when a block
 * begins.
 */
function moduleOf(page: string, { marksBlocks }: { readonly marksBlocks: boolean }): string {
  const parts = programOf(page, "ts").map(({ text }, index) =>
    marksBlocks ? `Reflect.get(globalThis, "beginBlock")?.(${index});\n${text}` : text,
  );
  return `${parts.join("\n")}\nexport {};\n`;
}

const withReplaced = (text: string, replaced: Readonly<Record<string, string>> = {}) =>
  Object.entries(replaced).reduce((changed, [from, to]) => changed.replaceAll(from, to), text);

/** Runs the TypeScript of a page in this process, without compiling it. Returns the answers to its calls. */
export async function runTypeScript(page: string, caller: HowToCaller): Promise<Answered[]> {
  const blocks = programOf(page, "ts");
  const answers: Answered[] = [];
  let current = blocks[0];
  const { fetch: original } = globalThis;
  const environment = {
    MANIFOLD_URL: caller.url,
    MANIFOLD_KEY: caller.key,
    MANIFOLD_TOKEN: caller.token,
  };
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const);
  mkdirSync(join(root, ".manifold"), { recursive: true });
  const folder = mkdtempSync(join(root, ".manifold/howTo-"));
  try {
    const file = join(folder, "page.ts");
    writeFileSync(file, withReplaced(moduleOf(page, { marksBlocks: true }), caller.replaced));
    Object.assign(process.env, environment);
    Object.assign(globalThis, {
      beginBlock: (index: number) => void (current = blocks[index]),
      async fetch(...given: Parameters<typeof fetch>) {
        const answer = await original(...given);
        const text = await answer.clone().text();
        answers.push({ block: current!, body: valueOf(text) });
        return answer;
      },
    });
    await import(pathToFileURL(file).href);
    return answers;
  } finally {
    globalThis.fetch = original;
    Reflect.deleteProperty(globalThis, "beginBlock");
    for (const [name, value] of before)
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compiles the programs of pages in strict mode.
 * @throws {Error} with the output of the compiler
 */
export async function compilePrograms(pages: readonly string[]): Promise<void> {
  mkdirSync(join(root, ".manifold"), { recursive: true });
  const folder = mkdtempSync(join(root, ".manifold/howTo-"));
  try {
    for (const page of pages)
      writeFileSync(
        join(folder, basename(page).replace(/\.md$/, ".ts")),
        moduleOf(page, { marksBlocks: false }),
      );
    const config = {
      extends: "../../tsconfig.json",
      compilerOptions: { noUnusedLocals: false },
      include: ["*.ts"],
      exclude: [],
      references: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    await run(join(root, "node_modules/.bin/tsc"), ["-p", folder]).catch((failure: unknown) => {
      throw new Error(String(Reflect.get(Object(failure), "stdout")));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Stores every answer that curl receives, with the number of its block. The commands of the pages are not changed. */
const prelude = `
curl() {
  command curl "$@" > "$FOLDER/answer"
  jq -cn --argjson block "$BLOCK" --rawfile body "$FOLDER/answer" '{block: $block, body: $body}' >> "$FOLDER/answers"
  cat "$FOLDER/answer"
}
`;

/** Runs the shell commands of a page with curl and jq. Returns the answers to its calls. */
export async function runShell(page: string, caller: HowToCaller): Promise<Answered[]> {
  const blocks = programOf(page, "sh");
  const folder = mkdtempSync(join(root, ".manifold/howTo-"));
  const credentials = {
    "http://127.0.0.1:4000": caller.url,
    "MANIFOLD_KEY=…": `MANIFOLD_KEY=${caller.key}`,
    "MANIFOLD_TOKEN=…": `MANIFOLD_TOKEN=${caller.token}`,
  };
  const script = blocks.map(({ text }, index) => `BLOCK=${index}\n${text}`).join("\n");
  try {
    writeFileSync(join(folder, "answers"), "");
    await run(
      "bash",
      [
        "-euo",
        "pipefail",
        "-c",
        prelude + withReplaced(script, { ...credentials, ...caller.replaced }),
      ],
      { env: { PATH: process.env["PATH"], FOLDER: folder }, cwd: folder },
    );
    return readFileSync(join(folder, "answers"), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => {
        const { block, body }: { block: number; body: string } = JSON.parse(line);
        return { block: blocks[block]!, body: valueOf(body) };
      });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * An answer that a page shows, and the blocks directly above it. Each of these blocks gets this answer from the host.
 */
export interface ShownAnswer {
  readonly block: Block;
  readonly from: readonly Block[];
}

/** Returns the answers that a page shows. */
export function shownAnswers(page: string): readonly ShownAnswer[] {
  const shown: ShownAnswer[] = [];
  let from: Block[] = [];
  for (const block of blocksFor(page, "howTo"))
    if (block.language === "json") {
      if (from.length === 0) throw new Error(`${placeOf(block)}: no call is above this answer`);
      shown.push({ block, from });
      from = [];
    } else {
      from = from.filter(({ language }) => language !== block.language);
      from.push(block);
    }
  return shown;
}

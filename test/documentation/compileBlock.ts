import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { root } from "../../docs/.vitepress/pages.ts";
import { holdLock } from "../packages/holdLock.ts";
import { placeOf, type Block } from "./readBlocks.ts";

const run = promisify(execFile);

/**
 * Matches a comment in the first line of a block, which names the file of the repository whose place the block takes.
 */
const ownPath = /^\/\/ (\S+\.ts)\n/;

/** The folder of the compiler's records of checked files. */
const cacheDir = join(root, "node_modules/.cache/manifold-tests");

/**
 * Returns the name of the record for a block. Blocks with the same record import nearly the same sources, which are
 * checked only for the first of these blocks.
 */
function recordOf(text: string, isPage: boolean): string {
  const isHost = /"@manifold-analytics\/host"|core\/index\.ts"/.test(text);
  return `blocks-${isPage ? "page" : isHost ? "host" : "other"}.tsbuildinfo`;
}

export interface CompileOptions {
  /** Replacements for strings of the block, such as addresses. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Whether the block runs in a browser. */
  readonly isPage?: boolean;
}

/**
 * Compiles a TypeScript block in strict mode, then calls `use` with the compiled file and removes the file. Relative
 * imports are resolved from the file that the block names in its first line. If the block names none, they are resolved
 * from the folder of the block's page.
 */
export async function withCompiled<Result>(
  block: Block,
  { replaced = {}, isPage = false }: CompileOptions,
  use: (file: string) => Promise<Result>,
): Promise<Result> {
  mkdirSync(join(root, ".manifold"), { recursive: true });
  const folder = mkdtempSync(join(root, ".manifold/documentation-"));
  try {
    const from = join(root, dirname(ownPath.exec(block.text)?.[1] ?? block.page));
    const own = Object.entries(replaced).reduce(
      (text, [before, after]) => text.replaceAll(before, after),
      block.text,
    );
    const text = own.replaceAll(
      /(\bfrom )"(\.\.?\/[^"]+)"/g,
      (_, word: string, path: string) => `${word}"${relative(folder, join(from, path))}"`,
    );
    const file = join(folder, "block.ts");
    writeFileSync(file, text);
    const config = {
      compilerOptions: {
        incremental: true,
        tsBuildInfoFile: join(cacheDir, recordOf(text, isPage)),
      },
      extends: isPage ? "../../core/web/tsconfig.json" : "../../tsconfig.json",
      include: ["block.ts"],
      exclude: [],
      // The engine has options of its own. Sources of the host import it through the plugin of the store.
      references: isPage ? [] : [{ path: "../../engine" }],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compile = async () => {
      await run(join(root, "node_modules/.bin/tsc"), ["-b", folder, "--checkers", "1"]);
    };
    await holdLock(join(cacheDir, "blocks.lock"), compile).catch((failure: unknown) => {
      throw new Error(
        `${placeOf(block)} does not compile: ${String(Reflect.get(Object(failure), "stdout"))}`,
      );
    });
    return await use(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { runInThisContext } from "node:vm";
import { findProgram } from "../../support/findProgram.ts";
import type { ExampleWorld } from "./exampleWorld.ts";
import { setUp, type Language } from "./writeCall.ts";

const run = promisify(execFile);

/** Runs the code of examples in one language. */
export interface Runner {
  /** Runs the code of one example on the world. Resolves to its parsed answer; to a string if the answer is text. */
  run(code: string, isText: boolean): Promise<unknown>;
  close(): Promise<void>;
}

type HostOf = Pick<ExampleWorld, "url" | "key" | "token" | "client" | "real">;

/** The programs that run the examples, besides Node. */
const programs: Readonly<Record<Language, readonly string[]>> = {
  sh: ["bash", "curl"],
  ts: [],
  python: ["python3"],
};

/** Returns the program that an example needs and that is not installed here; undefined if all are. */
export function missingProgram(language: Language): string | undefined {
  return programs[language].find((name) => findProgram(name) === undefined);
}

/** Opens the runner of each language. */
export const openRunner: Readonly<Record<Language, (world: HostOf) => Promise<Runner>>> = {
  async sh(world) {
    const prelude = world
      .real(setUp.sh)
      .replace("KEY=…", `KEY=${world.key}`)
      .replace("TOKEN=…", `TOKEN=${world.token}`);
    return {
      async run(code, isText) {
        const { stdout } = await run("bash", ["-eu", "-c", `${prelude}\n${code}`]);
        return isText ? stdout : JSON.parse(stdout);
      },
      close: () => Promise.resolve(),
    };
  },
  async ts({ url, key, token, client }) {
    return {
      run(code) {
        const body = `(async (manifold, url, pair) => {\n${code}\nreturn answer;\n})`;
        const example = runInThisContext(body) as (...given: unknown[]) => Promise<unknown>;
        return example(client, url, { key, token });
      },
      close: () => Promise.resolve(),
    };
  },
  async python(world) {
    const { key: KEY, token: TOKEN } = world;
    const child = spawn("python3", ["-c", driver], {
      env: { ...process.env, KEY, TOKEN, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const send = async (code: string): Promise<unknown> => {
      child.stdin.write(`${JSON.stringify(code)}\n`);
      const { value } = await lines.next();
      const said = JSON.parse(String(value)) as {
        readonly answer?: unknown;
        readonly failure?: string;
      };
      if (said.failure !== undefined) throw new Error(`${said.failure}\n${code}`);
      return said.answer;
    };
    await send(world.real(setUp.python));
    return {
      run: send,
      async close() {
        const ended = once(child, "exit");
        child.stdin.end();
        await ended;
      },
    };
  },
};

/** Runs each line of its input, which is Python code as JSON, and prints the value of `answer`. */
const driver = `
import json, sys, traceback
names = {}
for line in sys.stdin:
    try:
        names["answer"] = None
        exec(json.loads(line), names)
        answer = names["answer"]
        said = {"answer": answer.decode() if isinstance(answer, bytes) else answer}
    except Exception:
        said = {"failure": traceback.format_exc()}
    print(json.dumps(said), flush=True)
`;

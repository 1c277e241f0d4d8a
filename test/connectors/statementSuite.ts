import * as assert from "uvu/assert";
import {
  PluginError,
  rowsOfBatch,
  type Credentials,
  type Plugin,
  type Statement,
} from "../../plugins/protocol/index.ts";
import { suite, type SuiteOptions } from "../support/suite.ts";

/** A connector on a real database, with statements to test. */
export interface StatementEngine {
  readonly plugin: Plugin;
  readonly credentials: Credentials;
  /** Returns everything that a statement could change, as a comparable value. */
  contents(): Promise<unknown>;
  close(): Promise<void>;
}

export interface StatementTable {
  /** Statements that try to do more than read, each with a part of the error message that it causes. */
  readonly hostile: readonly (readonly [text: string, refusal: RegExp])[];
  /** Statements that people write, each with its rows. */
  readonly honest: readonly (readonly [text: string, rows: readonly (readonly unknown[])[]])[];
}

/** Queries a person's statement as a dataset and returns its rows. */
export async function rowsOfStatement(
  { plugin, credentials }: Pick<StatementEngine, "plugin" | "credentials">,
  text: string,
): Promise<readonly (readonly unknown[])[]> {
  const statement: Statement = { text, parameters: {} };
  const call = { credentials, signal: new AbortController().signal };
  const columns = await plugin.describe!({ ...call, statement });
  const selected = columns.map(({ id }) => ({ column_id: id }));
  const query = { id: "statement", columns: selected, filters: [], options: { pushdown: false } };
  const dataset = { id: "statement", columns: [...columns], statement };
  return rowsOfBatch(await plugin.query({ ...call, query, dataset }));
}

/**
 * Declares the tests that hostile statements are refused without changing anything, and that ordinary statements return
 * their rows.
 */
export function statementSuite(
  name: string,
  open: () => Promise<StatementEngine>,
  { hostile, honest }: StatementTable,
  options?: SuiteOptions,
): void {
  suite(
    name,
    (test) => {
      let engine: StatementEngine;
      test.before(async () => {
        engine = await open();
      });
      test.after(() => engine.close());

      test(`${hostile.length} SQL statements that do more than read are refused and change nothing`, async () => {
        const before = await engine.contents();
        const passed: string[] = [];
        const call = { credentials: engine.credentials, signal: new AbortController().signal };
        for (const [text, refusal] of hostile) {
          const statement: Statement = { text, parameters: {} };
          const query = {
            id: "statement",
            columns: [{ column_id: "*", aggregation: "count" as const }],
            filters: [],
            options: { pushdown: true },
          };
          const dataset = { id: "statement", columns: [], statement };
          const calls = {
            describe: () => engine.plugin.describe!({ ...call, statement }),
            query: () => engine.plugin.query({ ...call, query, dataset }),
          };
          for (const [kind, run] of Object.entries(calls)) {
            const failure = await run().then(
              () => undefined,
              (thrown: unknown) => thrown,
            );
            const isRefused = failure instanceof PluginError && refusal.test(failure.message);
            if (!isRefused) passed.push(`${text}: ${String(failure)}`);
            else if (kind === "describe" && failure.status !== 422)
              passed.push(`${text}: status ${failure.status}`);
          }
        }
        assert.equal(passed, []);
        assert.equal(await engine.contents(), before);
      });

      test(`${honest.length} ordinary SQL statements return their rows`, async () => {
        const wrong: unknown[] = [];
        for (const [text, rows] of honest) {
          const found = await rowsOfStatement(engine, text).catch(String);
          if (JSON.stringify(found) !== JSON.stringify(rows)) wrong.push([text, found]);
        }
        assert.equal(wrong, []);
      });
    },
    options,
  );
}

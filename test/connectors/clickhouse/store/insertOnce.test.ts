import * as assert from "uvu/assert";
import { insertOnce } from "../../../../connectors/clickhouse/store/insertOnce.ts";
import type { StoreServer } from "../../../../connectors/clickhouse/store/storeServer.ts";
import { suite } from "../../../support/suite.ts";

/** Possible outcomes of one attempt to insert. */
type Step =
  | "stores them"
  | "stores them, but its response is lost"
  | "is killed before the insert"
  | "records the token, but is killed before it stores them"
  | "is unavailable"
  | "refuses them";

const fault = (members: object) => Object.assign(new Error("planned"), members);

/** Creates a server that deduplicates inserts like MergeTree and fails according to a plan. */
function plannedServer(steps: readonly Step[]) {
  const tokens = new Set<unknown>();
  const sent: unknown[] = [];
  let rowCount = 0;
  let at = 0;
  const server: StoreServer = {
    source: "the planned server",
    run: async () => undefined,
    rows: async () => [[rowCount]],
    async insert(_, __, ___, { settings }) {
      const token = settings?.["insert_deduplication_token"];
      const step = steps[at++] ?? "stores them";
      sent.push(token);
      if (step === "is killed before the insert") throw fault({ code: "ECONNRESET" });
      if (step === "is unavailable") throw fault({ code: "ECONNREFUSED" });
      if (step === "refuses them") throw fault({ type: "TOO_MANY_PARTS", code: "252" });
      if (tokens.has(token)) return;
      tokens.add(token);
      if (step.startsWith("records")) throw fault({ code: "ECONNRESET" });
      rowCount += 2;
      if (step !== "stores them") throw fault({ code: "EPIPE" });
    },
    close: async () => undefined,
  };
  return { server, sent, rowCount: () => rowCount };
}

const rows = {
  columnIds: ["a"],
  batch: { rowCount: 2, columns: [{ type: "numeric" as const, values: Float64Array.of(1, 2) }] },
};

async function insert(steps: readonly Step[], signal = new AbortController().signal) {
  const planned = plannedServer(steps);
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
    signal.throwIfAborted();
  };
  const done = insertOnce(planned.server, { table: "t", rows, writeId: "w" }, { signal, wait });
  return { ...planned, waits, done };
}

suite("connectors/clickhouse/store/insertOnce", (test) => {
  const plans: readonly (readonly Step[])[] = [
    [],
    ["stores them, but its response is lost"],
    ["is killed before the insert"],
    ["records the token, but is killed before it stores them"],
    ["is killed before the insert", "is unavailable", "is unavailable"],
    ["stores them, but its response is lost", "is unavailable", "is killed before the insert"],
    [
      "records the token, but is killed before it stores them",
      "stores them",
      "records the token, but is killed before it stores them",
    ],
    [
      "records the token, but is killed before it stores them",
      "stores them",
      "stores them, but its response is lost",
      "is unavailable",
    ],
  ];
  for (const plan of plans)
    test(`rows are stored once if the server ${plan.join(", then ") || "responds"}`, async () => {
      const { done, rowCount } = await insert(plan);
      await done;
      assert.is(rowCount(), 2);
    });

  test("an insert is repeated with the same token while an earlier attempt may still run", async () => {
    const { done, sent, waits } = await insert([
      "is killed before the insert",
      "is unavailable",
      "is unavailable",
    ]);
    await done;
    assert.equal(sent, ["w", "w", "w", "w"]);
    assert.equal(waits, [50, 100, 200]);
  });

  test("an insert is not repeated if the server refuses it or was already down", async () => {
    for (const [step, member] of [
      ["is unavailable", "ECONNREFUSED"],
      ["refuses them", "252"],
    ] as const) {
      const { done, sent } = await insert([step]);
      const failure = await done.catch((thrown: unknown) => thrown);
      assert.is(failure instanceof Error && "code" in failure && failure.code, member);
      assert.is(sent.length, 1);
    }
  });

  test("an insert is not repeated after its call's deadline", async () => {
    const steps = Array.from({ length: 5 }, () => "is killed before the insert" as const);
    const planned = plannedServer(steps);
    const deadline = new AbortController();
    const done = insertOnce(
      planned.server,
      { table: "t", rows, writeId: "w" },
      {
        signal: deadline.signal,
        wait: async () => {
          if (planned.sent.length === 3) deadline.abort(new Error("too late"));
        },
      },
    );
    assert.match(String(await done.catch((thrown: unknown) => thrown)), "too late");
    assert.is(planned.rowCount(), 0);
  });
});

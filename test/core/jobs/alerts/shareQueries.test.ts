import { setImmediate as turn } from "node:timers/promises";
import * as assert from "uvu/assert";
import { shareQueries } from "../../../../core/jobs/alerts/shareQueries.ts";
import type { Principal } from "../../../../core/base/contracts/index.ts";
import type { QueryAnswer } from "../../../../core/queries/index.ts";
import { principalOf } from "../../../support/plainHost.ts";
import { suite } from "../../../support/suite.ts";

const open = new AbortController().signal;
const override = { value: ["a"], sticky: false, sensitive: false, clear: false };
const filter = {
  clause: "where",
  origin: "global",
  securable_id: "s",
  column_id: "c",
  expression: "? = ?",
  value: "a",
} as const;

/** A principal, and copies of it that each differ in exactly one member. */
const base = principalOf("ada");
const restriction = {
  issuer: base,
  role: "viewer",
  securables: new Map([["s", "read"]]),
  collections: new Map(),
  integrationId: undefined,
  filters: [filter],
  parameters: new Map([["tenant", override]]),
  hiddenColumns: new Set(["h"]),
  accountOverrides: new Map([["a", { host: "one" }]]),
  environment: null,
  metadata: { team: 1 },
} as const satisfies Principal["restriction"];
const own = {
  parameters: new Map([["tenant", override]]),
  accountOverrides: new Map([["a", { host: "one" }]]),
  metadata: { team: 1 },
  issuer: base,
};
const different: readonly Principal[] = [
  base,
  { ...base, userId: "bob" },
  { ...base, authorizationId: "00000000-0000-4000-8000-00000000000c" },
  { ...base, authorizationType: "login" },
  { ...base, organizationId: "00000000-0000-4000-8000-00000000000d" },
  { ...base, organizationRole: "owner" },
  { ...base, suborganization: "north" },
  { ...base, name: "Other" },
  { ...base, email: "other@example.org" },
  { ...base, own },
  { ...base, own: { ...own, parameters: new Map() } },
  { ...base, own: { ...own, parameters: new Map([["tenant", { ...override, value: ["b"] }]]) } },
  { ...base, own: { ...own, accountOverrides: new Map([["a", { host: "two" }]]) } },
  { ...base, own: { ...own, metadata: { team: 2 } } },
  { ...base, own: { ...own, issuer: undefined } },
  { ...base, own: { ...own, issuer: principalOf("bob") } },
  ...[
    {},
    { issuer: principalOf("bob") },
    { role: "owner" as const },
    { securables: new Map([["s", "own" as const]]) },
    { securables: new Map() },
    { collections: new Map([["k", "read" as const]]) },
    { integrationId: "i" },
    { filters: [] },
    { filters: [{ ...filter, value: "b" }] },
    { filters: [{ ...filter, clause: "having" as const }] },
    { filters: [{ ...filter, column_id: "d" }] },
    { parameters: new Map() },
    { parameters: new Map([["tenant", { ...override, value: ["b"] }]]) },
    { parameters: new Map([["tenant", { ...override, clear: true }]]) },
    { parameters: new Map([["other", override]]) },
    { hiddenColumns: new Set<string>() },
    { hiddenColumns: new Set(["i"]) },
    { accountOverrides: new Map() },
    { accountOverrides: new Map([["a", { host: "two" }]]) },
    { environment: "production" },
    { timezoneId: "UTC" },
    { localeId: "nl" },
    { metadata: undefined },
    { metadata: { team: 2 } },
  ].map((change) => ({ ...base, restriction: { ...restriction, ...change } })),
  { ...base, restriction, removedFeatures: new Map([["flag_export", "token" as const]]) },
];

suite("core/jobs/alerts/shareQueries", (test) => {
  /**
   * Opens a world in which every query waits until the test releases it, and then returns its own number as the answer.
   */
  const openWorld = () => {
    const requested: { readonly principal: Principal; readonly signal: AbortSignal }[] = [];
    const gate = Promise.withResolvers<void>();
    const sendQuery = shareQueries(async (_query, principal, signal) => {
      requested.push({ principal, signal });
      const number = requested.length;
      await gate.promise;
      return { data: [[number]] } as unknown as QueryAnswer;
    });
    return { sendQuery, requested, answerAll: gate.resolve };
  };
  const query = { measures: [{ column_id: "c" }] };

  test("equal queries of alerts for the same slot run once, and every caller gets the answer", async () => {
    const { sendQuery, requested, answerAll } = openWorld();
    const answers = Array.from({ length: 50 }, () =>
      sendQuery(structuredClone(query), structuredClone(base), open, 60_000),
    );
    answerAll();
    for (const { data } of await Promise.all(answers)) assert.equal(data, [[1]]);
    assert.is(requested.length, 1);
    await sendQuery(query, base, open, 60_000);
    assert.is(requested.length, 2, "nothing is cached afterwards");
  });

  test("queries that differ, or that have different principals or slots, never share an answer", async () => {
    const { sendQuery, requested, answerAll } = openWorld();
    const answers = [...different, ...structuredClone(different)].map(async (principal) => ({
      principal,
      answer: await sendQuery(query, principal, open, 1),
    }));
    const others = [
      sendQuery(query, base, open, 2),
      sendQuery({ ...query, limit: 1 }, base, open, 1),
    ];
    answerAll();
    for (const { principal, answer } of await Promise.all(answers))
      assert.equal(requested[Number(answer.data[0]?.[0]) - 1]?.principal, principal);
    await Promise.all(others);
    assert.is(requested.length, different.length + others.length);
  });

  test("a shared query is aborted when its last caller disconnects, and its failure reaches every caller", async () => {
    const { sendQuery, requested } = openWorld();
    const callers = [new AbortController(), new AbortController()] as const;
    const reasonOf = (answer: Promise<unknown>) =>
      answer.catch((failure: Error) => failure.message);
    const left = callers.map(({ signal }) => reasonOf(sendQuery(query, base, signal, 1)));
    callers[0].abort(new Error("the first leaves"));
    assert.is(await left[0], "the first leaves");
    await turn();
    assert.is(requested[0]?.signal.aborted, false);
    callers[1].abort(new Error("the last leaves"));
    assert.is(requested[0]?.signal.aborted, true);
    const failing = shareQueries(async () => {
      await turn();
      throw new Error("the source is away");
    });
    const failed = [failing(query, base, open, 1), failing(query, base, open, 1)].map(reasonOf);
    assert.equal(await Promise.all(failed), ["the source is away", "the source is away"]);
  });
});

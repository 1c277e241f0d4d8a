import * as assert from "uvu/assert";
import type { EgressAnswer, EgressCall } from "../../../../../core/sources/connections/egress.ts";
import { createRemoteCalls } from "../../../../../core/sources/connections/overHttp/remoteCalls.ts";
import { suite } from "../../../../support/suite.ts";

const json = (status: number, message: string): EgressAnswer => ({
  status,
  text: JSON.stringify({ message }),
});
const noSecret = json(403, "the header X-Secret is missing or wrong");
const noPassword = json(401, "Wrong user name or password");
const good = json(200, "fine");

const remote = {
  slug: "trips",
  baseUrl: "https://plugin.example.org",
  protocolVersion: "3.0.0" as const,
  secret: "new-one",
  previousSecret: "old-one",
  pushdown: false,
  supportsDistinctcount: false,
};

/** Calls a plugin while two secrets are valid. For each secret, the plugin responds in the given way. */
async function call(answers: Readonly<Record<string, EgressAnswer>>, accepts: number[] = []) {
  const sent: string[] = [];
  const egress = {
    sizeBytes: 1_000,
    address: async () => "127.0.0.1",
    close: () => undefined,
    async call({ headers }: EgressCall) {
      const secret = String(headers?.["X-Secret"]);
      sent.push(secret);
      return answers[secret] ?? noSecret;
    },
  };
  const { signal } = new AbortController();
  const sendQuery = createRemoteCalls(remote, egress);
  const said = await sendQuery({ signal }, { method: "GET", path: "/datasets", accepts }).then(
    ({ status }) => String(status),
    (failure: Error) => failure.message,
  );
  return { sent, said };
}

suite("core/sources/connections/overHttp/remoteCalls", (test) => {
  test("a scan is unhurried and reports each part of its answer, and a query does neither", async () => {
    const calls: EgressCall[] = [];
    const egress = {
      sizeBytes: 1_000,
      address: async () => "127.0.0.1",
      close: () => undefined,
      async call(given: EgressCall) {
        calls.push(given);
        for (let part = 0; part < 3; part++) await given.take?.(new Uint8Array(1));
        return good;
      },
    };
    const send = createRemoteCalls(remote, egress);
    const { signal } = new AbortController();
    const request = { method: "POST", path: "/query", take: async () => undefined } as const;
    let aliveCount = 0;
    await send({ signal }, request);
    await send({ signal, alive: () => void aliveCount++ }, request);
    assert.equal(
      calls.map(({ isUnhurried }) => isUnhurried === true),
      [false, true],
    );
    assert.is(aliveCount, 3);
  });

  test("only a plugin that rejects the new secret receives the previous secret", async () => {
    assert.equal(await call({ "new-one": good }), { sent: ["new-one"], said: "200" });
    assert.equal(await call({ "old-one": good }), { sent: ["new-one", "old-one"], said: "200" });
    assert.equal(await call({ "new-one": json(500, "broken") }).then(({ sent }) => sent), [
      "new-one",
    ]);
    const accepted = await call({ "new-one": noPassword }, [401]);
    assert.equal(accepted, { sent: ["new-one"], said: "401" });
  });

  test("if a plugin rejects the credentials, the error says so, whichever secret the plugin uses", async () => {
    for (const answers of [
      { "new-one": noPassword },
      { "old-one": noPassword },
      { "new-one": noPassword, "old-one": noPassword },
    ])
      assert.match((await call(answers)).said, "Wrong user name or password");
    const { said } = await call({});
    assert.match(said, "X-Secret is missing or wrong");
    assert.not(/new-one|old-one/.test(said));
  });
});

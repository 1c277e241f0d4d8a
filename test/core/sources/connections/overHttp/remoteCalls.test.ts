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

/** Calls a plugin that answers each secret in a given way, while two secrets are valid. */
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
  const remote = {
    slug: "trips",
    baseUrl: "https://plugin.example.org",
    protocolVersion: "3.0.0" as const,
    secret: "new-one",
    previousSecret: "old-one",
    pushdown: false,
    supportsDistinctcount: false,
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
  test("the previous secret is sent only to a plugin that rejects the new secret", async () => {
    assert.equal(await call({ "new-one": good }), { sent: ["new-one"], said: "200" });
    assert.equal(await call({ "old-one": good }), { sent: ["new-one", "old-one"], said: "200" });
    assert.equal(await call({ "new-one": json(500, "broken") }).then(({ sent }) => sent), [
      "new-one",
    ]);
    const accepted = await call({ "new-one": noPassword }, [401]);
    assert.equal(accepted, { sent: ["new-one"], said: "401" });
  });

  test("an error reports that the plugin rejected the credentials, whichever secret the plugin uses", async () => {
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

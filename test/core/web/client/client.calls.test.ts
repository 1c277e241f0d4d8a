import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import * as assert from "uvu/assert";
import {
  ClientError,
  createClient,
  type AnswerOf,
  type Client,
  type Offering,
  type Query,
} from "../../../../core/web/client/index.ts";
import { suite } from "../../../support/suite.ts";

type Heard = readonly [path: string | undefined, body: unknown];

suite("core/web/client: calls", (test) => {
  const heard: Heard[] = [];
  let answer: object = {};
  let status = 200;
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      heard.push([request.url, body]);
      response.statusCode = status;
      response.end(JSON.stringify(answer));
    });
  });
  let client: Client;
  test.before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    client = createClient({ url: `http://127.0.0.1:${port}`, key: "K", token: "T" });
  });
  test.after(async () => void server.close());

  test("each method of the client sends its action to the resource, with key, token and version", async () => {
    const id = "7";
    await client.create("tag", { tag: "a" }, [{ role: "Securables", id }]);
    await client.get("tag", { limit: 1 });
    await client.update("theme", id, {});
    await client.delete("user", id);
    await client.explain("user", { ids: [id] });
    await client.call("delivery", "resend", { id });
    await client.account("sessions/end", { others: true });
    const pair = { key: "K", token: "T", version: "0.1.0" };
    assert.equal(heard.splice(0), [
      [
        "/0.1.0/tag",
        {
          action: "create",
          properties: { tag: "a" },
          associations: [{ role: "Securables", id }],
          ...pair,
        },
      ],
      ["/0.1.0/tag", { action: "get", find: { limit: 1 }, ...pair }],
      ["/0.1.0/theme", { action: "update", id, properties: {}, ...pair }],
      ["/0.1.0/user", { action: "delete", id, ...pair }],
      ["/0.1.0/user", { action: "explain", ids: [id], ...pair }],
      ["/0.1.0/delivery", { action: "resend", id, ...pair }],
      ["/auth/account/sessions/end", { others: true, ...pair }],
    ]);
  });

  test("the client rejects a response outside 200–299 with its status, code and request id", async () => {
    status = 409;
    answer = { message: "taken", type: { code: "CONFLICT" }, request_id: "r1" };
    const failure: unknown = await client.get("tag").catch((error: unknown) => error);
    [status, answer] = [200, {}];
    assert.instance(failure, ClientError);
    if (failure instanceof ClientError)
      assert.equal(
        [failure.status, failure.code, failure.message, failure.requestId],
        [409, "CONFLICT", "taken", "r1"],
      );
  });

  test("declared names, members and responses have types, and unknown names do not compile", async () => {
    const one = async (): Promise<readonly (readonly unknown[])[]> =>
      (await client.get("data", { dimensions: [] })).data;
    const several = async (): Promise<boolean | undefined> =>
      (await client.get("data", { queries: [{ dimensions: [] }, { dimensions: [] }] }))[0]?.cached;
    const single = async (): Promise<boolean> =>
      (await client.get("data", { queries: [{ dimensions: [] }] })).cached;
    const pushed = async (): Promise<string | undefined> =>
      (await client.create("data", { type: "create", data: [] })).rows[0]?.columns?.[0]?.id;
    const unknown = async (queries: readonly Query[]): Promise<boolean | undefined> => {
      const answer = await client.get("data", { queries });
      return "cached" in answer ? answer.cached : answer[0]?.cached;
    };
    const file = async (): Promise<number> => {
      const answer = await client.create("dataexport", { type: "csv", query: { dimensions: [] } });
      return answer instanceof Uint8Array ? answer.length : 0;
    };
    const wrong = () => [
      // @ts-expect-error a member that the declaration does not have
      client.create("tag", { tags: "a" }),
      // @ts-expect-error a member that is missing
      client.create("plugin", { slug: "a" }),
      // @ts-expect-error an action that the resource does not offer
      client.update("country", "id", {}),
      // @ts-expect-error an aggregation that does not exist
      client.get("data", { measures: [{ column_id: "*", aggregation: "total" }] }),
      // @ts-expect-error a level that is a name
      client.get("data", { dimensions: [{ column_id: "a", level: "month" }] }),
      // @ts-expect-error a filter without parameters
      client.get("data", { dimensions: [{ column_id: "a" }], where: [{ expression: "? = ?" }] }),
      // @ts-expect-error a direction that does not exist
      client.get("data", { dimensions: [], order: [{ column_id: "a", order: "down" }] }),
      // @ts-expect-error a step that is none
      client.account("overviews", {}),
    ];
    const typed: AnswerOf<"tag", "create">["id"] = "a text";
    const offering: Offering<"resend"> = "delivery";
    assert.equal(
      [one, several, single, pushed, unknown, file, wrong].map((each) => typeof each),
      Array.from({ length: 7 }, () => "function"),
    );
    assert.equal([typed, offering], ["a text", "delivery"]);
  });
});

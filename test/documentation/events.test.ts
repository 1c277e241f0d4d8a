import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Webhook } from "standardwebhooks";
import * as assert from "uvu/assert";
import { webhookEvents, webhookSchema } from "../../core/jobs/deliveries/webhookEvents.ts";
import { root } from "../../docs/.vitepress/pages.ts";
import { openPeople, type People } from "../core/openPeople.ts";
import { type HttpSink, openHttpSink } from "../support/httpSink.ts";
import { suite } from "../support/suite.ts";
import { webhookEvent } from "../support/webhookEvent.ts";
import { blocksFor } from "./readBlocks.ts";

const run = promisify(execFile);
const page = "docs/EVENTS.md";
const types = Object.keys(webhookEvents) as (keyof typeof webhookEvents)[];

type Headers = Readonly<Record<string, string>>;
type Message = readonly [secret: string, headers: Headers, body: string];
/** Returns the event of each message, or null for each message that the verifier refuses. */
type Verify = (messages: readonly Message[]) => Promise<readonly unknown[]>;

suite("documentation/events", (test) => {
  const folder = mkdtempSync(join(tmpdir(), "manifold-documentation-"));
  let sink: HttpSink;
  let people: People;
  test.after(async () => {
    rmSync(folder, { recursive: true, force: true });
    await people?.close();
    await sink?.close();
  });

  const blockOf = (language: string) => {
    const block = blocksFor("docs/EVENTS.md", "events").find((each) => each.language === language);
    assert.ok(block, language);
    return block.text;
  };
  const inNode = async (): Promise<Verify> => {
    const path = join(folder, "verify.mjs");
    writeFileSync(path, blockOf("js"));
    const { verify } = (await import(pathToFileURL(path).href)) as {
      verify(secret: string, headers: Headers, body: string): unknown;
    };
    const orNull = (message: Message): unknown => {
      try {
        return verify(...message);
      } catch {
        return null;
      }
    };
    return async (messages) => messages.map(orNull);
  };
  const inPython = async (): Promise<Verify> => {
    const path = join(folder, "verify.py");
    const tail = `
import sys
def event_of(secret, headers, body):
    try:
        return verify(secret, headers, body.encode())
    except Exception:
        return None
print(json.dumps([event_of(*message) for message in json.loads(sys.argv[1])]))
`;
    writeFileSync(path, blockOf("python") + tail);
    return async (messages) => {
      const { stdout } = await run("python3", [path, JSON.stringify(messages)]);
      return JSON.parse(stdout) as readonly unknown[];
    };
  };

  test("the files in docs/events are the schemas of the events that the host sends", () => {
    for (const type of types) {
      const path = join(root, `docs/events/${type}.schema.json`);
      const schema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        title: `Event ${type}`,
        ...webhookSchema(type),
      };
      const due = JSON.stringify(schema, null, 2);
      if (process.env["WRITE"] === "1") writeFileSync(path, due);
      const stored: unknown = JSON.parse(readFileSync(path, "utf8"));
      assert.equal(stored, JSON.parse(due), "WRITE=1 npm test -- documentation/events writes them");
    }
  });

  test("the page about events names every type of event", () => {
    const text = readFileSync(join(root, page), "utf8");
    for (const type of types) assert.match(text, `| \`${type}\` |`);
  });

  test("both verifiers accept a delivered message, and refuse forged, changed and old messages", async () => {
    sink = await openHttpSink();
    people = await openPeople();
    const { id, secret } = await people.owner.create<{ id: string; secret: string }>("channel", {
      type: "webhook",
      name: { en: "My app" },
      config: { url: sink.url },
    });
    const send = async () => {
      await people.owner.test("channel", { id });
      const { headers, body } = sink.calls.at(-1)!;
      return { headers, body };
    };
    const { headers, body } = await send();
    const event = webhookEvent(body);
    assert.equal([event.type, event.channel_id], ["test", id]);
    assert.equal(new Webhook(secret).verify(body, headers), event);
    const { secret: next } = await people.owner.update<{ secret: string }>("channel", id, {
      rotate_secret: true,
    });
    const rotated = await send();
    const hasPython = await run("python3", ["--version"]).then(
      () => true,
      () => false,
    );
    const verifiers = [await inNode(), ...(hasPython ? [await inPython()] : [])];
    if (!hasPython) console.log("  there is no python3, so the verifier in Python was not run");
    const old = String(Math.floor(Date.now() / 1000) - 600);
    const resigned = new Webhook(secret).sign(
      headers["webhook-id"]!,
      new Date(Number(old) * 1000),
      body,
    );
    const { "webhook-signature": _, ...unsigned } = headers;
    const wrong = {
      "another secret": [next, headers, body],
      "a changed body": [secret, headers, body.replace("test", "alert")],
      "another id": [secret, { ...headers, "webhook-id": "other" }, body],
      "a later timestamp": [
        secret,
        { ...headers, "webhook-timestamp": `${Number(headers["webhook-timestamp"]) + 1}` },
        body,
      ],
      "no signature": [secret, unsigned, body],
      "an old message": [
        secret,
        { ...headers, "webhook-timestamp": old, "webhook-signature": resigned },
        body,
      ],
    } satisfies Record<string, Message>;
    const later: unknown = JSON.parse(rotated.body);
    for (const verify of verifiers) {
      const found = await verify([
        [secret, headers, body],
        [secret, rotated.headers, rotated.body],
        [next, rotated.headers, rotated.body],
        ...Object.values<Message>(wrong),
      ]);
      assert.equal(found.slice(0, 3), [event, later, later]);
      for (const [index, what] of Object.keys(wrong).entries())
        assert.is(found[index + 3], null, what);
    }
  });
});

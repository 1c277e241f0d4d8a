import * as assert from "uvu/assert";
import { pino } from "pino";
import { createClient } from "../../../../core/web/client/index.ts";
import { eventually } from "../../../support/eventually.ts";
import { openSmtpSink, type SmtpSink, type TakenMail } from "../../../support/smtpSink.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, type People, type Person } from "../../openPeople.ts";

type Json = Readonly<Record<string, unknown>>;
interface Invited extends Json {
  readonly is_mailed: boolean;
  readonly url?: string;
}

const good = "seven purple teapots";
const other = "eleven orange kettles";

/** Returns the secret of the link in a mail or URL. */
const secretIn = (text: string): string =>
  /#password=([\w-]{43})/.exec(text.replaceAll("=\r\n", "").replaceAll("=3D", "="))?.[1] ?? "";

suite("core/identity/account/createPasswordLinks", (test) => {
  let people: People;
  let sink: SmtpSink;
  /** How far the host's clock is ahead, in milliseconds. */
  let aheadMs = 0;
  const lines: string[] = [];

  test.before(async () => {
    sink = await openSmtpSink();
    people = await openPeople({
      smtpUrl: sink.url,
      failuresPerMinute: 0,
      logLevel: "info",
      tokenNow: () => Date.now() + aheadMs,
      logger: pino({ level: "info" }, { write: (line: string) => void lines.push(line) }),
    });
  });
  test.after(async () => {
    await people?.close();
    await sink?.close();
  });

  const post = async (step: string, body: Json, headers: Json = { "X-Manifold-Console": "1" }) => {
    const answer = await fetch(`${people.host.url}/auth/password/${step}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Origin: new URL(people.host.url).origin,
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Json };
  };
  const invite = async (by: Person, id: string) => {
    const { status, body } = await people.call("user", { action: "invite", id, ...by.pair });
    return { status, body: body as Invited };
  };
  const signIn = async (email: string, password: string): Promise<number> => {
    const answer = await fetch(`${people.host.url}/auth/vi`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    return answer.status;
  };
  const mailsTo = (email: string): readonly TakenMail[] =>
    sink.mails.filter(({ to }) => to.includes(email));
  const mailTo = (email: string, count = 1) =>
    eventually(() => {
      const mails = mailsTo(email);
      return mails.length >= count && mails.at(-1);
    }, `mail ${count} to ${email}`);

  test("an invited person chooses a password with the link in the mail, once", async () => {
    const ada = await people.add("Ada");
    const { body } = await invite(people.owner, ada.id);
    assert.equal([body.is_mailed, body.url], [true, undefined]);
    const mail = await mailTo("Ada@example.org");
    const link = secretIn(mail.source);
    assert.is(link.length, 43);
    assert.match(mail.source, "Subject: You are invited to Manifold");
    const looked = await post("look", { link });
    assert.equal(looked.body, { kind: "invitation", email: "Ada@example.org", name: "Ada" });
    const weak = await post("use", { link, password: "password1234" });
    assert.is(weak.status, 400);
    const short = await post("use", { link, password: "short" });
    assert.is(short.status, 400);
    assert.equal(await post("use", { link, password: good }), {
      status: 200,
      body: { email: "Ada@example.org" },
    });
    assert.is(await signIn("ada@example.org", good), 200);
    const again = await post("use", { link, password: other });
    assert.is(again.status, 401);
    assert.is((again.body["type"] as Json)["code"], "PASSWORD_LINK_INVALID");
    assert.is(await signIn("ada@example.org", other), 401);
  });

  test("a forgotten password gets a new one by mail, which ends every session", async () => {
    const email = "Ben@example.org";
    const ben = await people.owner.create<{ id: string; key: string; token: string }>("user", {
      email,
      name: "Ben",
      password: good,
      locale_id: "de",
    });
    const session = createClient({ url: people.host.url, key: ben.key, token: ben.token });
    assert.is((await session.get("user", { where: { id: "me" } })).count, 1);
    assert.equal(await post("request", { email: "BEN@example.org" }), {
      status: 200,
      body: { code: 200 },
    });
    const mail = await mailTo(email);
    assert.match(mail.source, /Subject: .*Neues[ _]Passwort/);
    const link = secretIn(mail.source);
    assert.is((await post("use", { link, password: other })).status, 200);
    const failure = await session.get("user", {}).catch((reason: unknown) => reason);
    assert.is((failure as { status?: number }).status, 401);
    assert.is(await signIn(email, good), 401);
    assert.is(await signIn(email, other), 200);
  });

  test("an unknown address, one without a password and a known one get the same answer", async () => {
    const without = await people.add("Without");
    const answers = [];
    for (const email of ["nobody@example.org", "Without@example.org", "ada@example.org"])
      answers.push(await post("request", { email }));
    for (const answer of answers) assert.equal(answer, { status: 200, body: { code: 200 } });
    await mailTo("Ada@example.org", 2);
    assert.equal(mailsTo("nobody@example.org"), []);
    assert.equal(mailsTo("Without@example.org"), [], "no password is added by mail");
    assert.ok(without.id);
  });

  test("a person gets at most one mail about a forgotten password in five minutes", async () => {
    const email = "ada@example.org";
    const before = mailsTo("Ada@example.org").length;
    await post("request", { email });
    aheadMs += 6 * 60_000;
    await post("request", { email });
    const mail = await mailTo("Ada@example.org", before + 1);
    assert.is(mailsTo("Ada@example.org").length, before + 1);
    aheadMs += 3_600_001;
    const late = await post("look", { link: secretIn(mail.source) });
    assert.is(late.status, 401, "a link expires after an hour");
    aheadMs = 0;
  });

  test("an invitation expires after seven days, and ends when the address changes", async () => {
    const cleo = await people.add("Cleo");
    await invite(people.owner, cleo.id);
    const link = secretIn((await mailTo("Cleo@example.org")).source);
    aheadMs += 6 * 86_400_000;
    assert.is((await post("look", { link })).status, 200);
    aheadMs += 86_400_001;
    assert.is((await post("look", { link })).status, 401);
    aheadMs = 0;
    await invite(people.owner, cleo.id);
    const second = secretIn((await mailTo("Cleo@example.org", 2)).source);
    await people.owner.update("user", cleo.id, { email: "cleo.new@example.org" });
    assert.is((await post("use", { link: second, password: good })).status, 401);
  });

  test("only owners of the organization invite people", async () => {
    const editor = await people.add("Edna", {}, { flagEditor: true });
    const member = await people.add("Mona");
    for (const by of [editor, member]) {
      assert.is((await invite(by, people.owner.id)).status, 404);
      assert.is((await invite(by, by.id)).status, 403);
    }
    const token = await people.mint({});
    assert.is((await invite(token, member.id)).status, 403);
    const bound = await people.owner.create<{ id: string; token: string }>("authorization", {
      type: "api",
      feature_overrides: ["!flag_export"],
    });
    const call = { action: "invite", id: member.id, key: bound.id, token: bound.token };
    assert.is((await people.call("user", call)).status, 403);
  });

  test("if the mail cannot be sent, the owner gets the link once", async () => {
    const dora = await people.add("Dora");
    sink.plan(550);
    const { body } = await invite(people.owner, dora.id);
    assert.is(body.is_mailed, false);
    const link = secretIn(String(body.url));
    assert.is((await post("use", { link, password: good })).status, 200);
    const [event] = (
      await people.owner.get("auditevent", {
        where: { record_id: dora.id, action: "password_set" },
      })
    ).rows;
    assert.is(event?.["user_id"], dora.id);
  });

  test("calls of other pages are refused", async () => {
    for (const [step, body] of [
      ["request", { email: "ada@example.org" }],
      ["look", { link: "x" }],
      ["use", { link: "x", password: good }],
    ] as const)
      assert.is((await post(step, body, {})).status, 403);
  });

  test("no secret of a link is logged, stored or audited", async () => {
    const secrets = sink.mails.map(({ source }) => secretIn(source)).filter((each) => each !== "");
    assert.ok(secrets.length > 3);
    const events = JSON.stringify(await people.owner.get("auditevent", { limit: 500 }));
    for (const secret of secrets) {
      assert.not(lines.some((line) => line.includes(secret)));
      assert.not(events.includes(secret));
    }
    assert.ok(events.includes("invitation_create") && events.includes("password_link_create"));
  });
});

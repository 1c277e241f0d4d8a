import * as assert from "uvu/assert";
import { renderLinkMail } from "../../../../core/jobs/deliveries/renderLinkMail.ts";
import { messageLanguages } from "../../../../core/jobs/deliveries/words/wordsIn.ts";
import { suite } from "../../../support/suite.ts";

const link = {
  recipient: "ada@example.org",
  url: "https://data.example.org/#password=secret",
  expiresAt: new Date("2026-03-04T05:06:00.000Z"),
  by: 'Grace <b>"Hopper"</b>\r\nBcc: eve@example.org',
};

suite("core/jobs/deliveries/renderLinkMail", (test) => {
  test("each language names the person who invites, the link and its end", () => {
    const subjects = new Set<string>();
    for (const locale of Object.keys(messageLanguages))
      for (const kind of ["invitation", "password"] as const) {
        const mail = renderLinkMail({ ...link, kind, locale });
        subjects.add(mail.subject);
        assert.ok(mail.text.includes(link.url), locale);
        assert.ok(mail.html.includes(`href="${link.url}"`), locale);
        assert.match(mail.text, "UTC");
        assert.is(mail.text.includes("Grace"), kind === "invitation");
        assert.is(mail.html.includes('dir="rtl"'), locale === "ar" || locale === "he");
      }
    assert.is(subjects.size, 2 * Object.keys(messageLanguages).length);
  });

  test("the name of the person who invites adds neither markup nor headers", () => {
    const mail = renderLinkMail({ ...link, kind: "invitation", locale: "en" });
    assert.not(mail.html.includes("<b>"));
    assert.not(/[\r\n]/.test(mail.subject));
    assert.not(/^Bcc/m.test(mail.text));
  });
});
